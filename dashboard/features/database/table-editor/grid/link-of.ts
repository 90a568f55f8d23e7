/** Where a value leads to. `file`: a file of this project's storage, as `bucket/path`. */
export type ValueLink = { href: string; file: string | undefined }

/** Only whole addresses of the web: nothing else that a value may say is ever opened. */
export function linkOf(text: string, projectUrl: string): ValueLink | undefined {
  const address = text.trim()
  if (!/^https?:\/\/\S+$/i.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  const own = `${projectUrl.replace(/\/$/, '')}/storage/v1/object/`
  const path = url.href.startsWith(own) ? url.pathname.slice(new URL(own).pathname.length) : ''
  const [, file] = /^(?:public|sign|authenticated)\/([^/]+\/.+)$/.exec(path) ?? []
  return { href: url.href, file: file === undefined ? undefined : readable(file) }
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
