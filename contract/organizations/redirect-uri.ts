const loopback = ['localhost', '127.0.0.1', '[::1]']

/**
 * Why an app cannot be sent its code there; undefined when it can. https anywhere, http on the machine itself only, and
 * the reverse-domain schemes of native apps (RFC 8252 §7.1). Compared as exact texts later, so nothing is put in order here.
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (!/^[\u0021-\u007e]+$/.test(uri)) return 'must be written in plain ASCII without spaces'
  if (uri.includes('\\')) return 'must not contain a backslash'
  if (uri.includes('#')) return 'must not have a fragment'
  if (uri.includes('*')) return 'must be one exact address, without wildcards'
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (!url) return 'must be a full address'
  if (url.username || url.password) return 'must not hold a user name or password'
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:') {
    return loopback.includes(url.hostname)
      ? undefined
      : 'must start with https:// (http only for localhost)'
  }
  return /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/.test(url.protocol)
    ? undefined
    : 'must start with https://, or with an own scheme such as com.example.app:'
}
