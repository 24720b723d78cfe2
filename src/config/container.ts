import { existsSync } from 'node:fs';

/**
 * Whether the process runs in a container, where a load balancer or an orchestrator usually sends the requests: in a
 * pod of Kubernetes, or in a container of Docker, Podman, LXC or systemd-nspawn.
 */
export function isInContainer(env: NodeJS.ProcessEnv): boolean {
  // Kubernetes sets the first variable, Podman, LXC and systemd-nspawn set the second.
  const isSet = [env['KUBERNETES_SERVICE_HOST'], env['container']].some((value) => value !== undefined && value !== '');
  return isSet || ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file));
}
