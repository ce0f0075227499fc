/** A backup or a restore cannot be done; the message is one line for the operator. */
export class BackupError extends Error {}
