/** Who writes, so that the operator finds the account: a name of several words stands in quotes, so that its end is seen. */
export const writerWords = (username = ''): string =>
  `username saya ${/\s/u.test(username) ? `"${username}"` : username}.`
