const PASSED_ON = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'LD_LIBRARY_PATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR']

/** What ffmpeg needs to run, and none of our secrets: its environment can be read by others, and it reads what strangers upload. */
export const childEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
