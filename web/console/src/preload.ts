/**
 * Loads a module with all that it imports at once: the browser would find out what it imports when it has loaded it. The
 * lists are in index.html, relative to the address with which the page was opened, so this is only for its start.
 */
export function preload(name: 'console' | 'kind-list'): void {
  const list = document.getElementById(`load-${name}`);
  if (list instanceof HTMLTemplateElement) document.head.append(list.content);
}
