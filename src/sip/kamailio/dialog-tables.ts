/**
 * The tables of Kamailio's module `dialog`, in the schema of the views. They keep calls in progress across a restart.
 */
export const DIALOG_TABLES: Readonly<Record<string, string>> = {
  dialog: `id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
    hash_entry INT UNSIGNED NOT NULL, hash_id INT UNSIGNED NOT NULL,
    callid VARCHAR(255) NOT NULL,
    from_uri VARCHAR(255) NOT NULL, from_tag VARCHAR(128) NOT NULL,
    to_uri VARCHAR(255) NOT NULL, to_tag VARCHAR(128) NOT NULL,
    caller_cseq VARCHAR(20) NOT NULL, callee_cseq VARCHAR(20) NOT NULL,
    caller_route_set VARCHAR(512), callee_route_set VARCHAR(512),
    caller_contact VARCHAR(255) NOT NULL, callee_contact VARCHAR(255) NOT NULL,
    caller_sock VARCHAR(64) NOT NULL, callee_sock VARCHAR(64) NOT NULL,
    state INT UNSIGNED NOT NULL, start_time INT UNSIGNED NOT NULL, timeout INT UNSIGNED NOT NULL DEFAULT 0,
    sflags INT UNSIGNED NOT NULL DEFAULT 0, iflags INT UNSIGNED NOT NULL DEFAULT 0,
    toroute_name VARCHAR(32), req_uri VARCHAR(512) NOT NULL, xdata VARCHAR(512),
    INDEX hash_idx (hash_entry, hash_id)`,
  dialog_vars: `id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
    hash_entry INT UNSIGNED NOT NULL, hash_id INT UNSIGNED NOT NULL,
    dialog_key VARCHAR(128) NOT NULL, dialog_value VARCHAR(512) NOT NULL,
    INDEX hash_idx (hash_entry, hash_id)`,
};

/** The table comment that marks these tables as created by sipgraph. */
export const OWNER = 'sipgraph';
