type Asked = { id: string; answer: Promise<Response> }

/** What public/first.js has asked for in advance, by path, and with whose token. */
export type Early = { token: string; asked: Record<string, Asked> }

/** An answer that lay longer than this may have changed meanwhile; ms since the page began. */
const shelfLife = 15_000

/** The answer to a plain GET that was asked for before the scripts were there. Each is given once, to the same session. */
export function takeEarly(path: string, token: string | undefined): Asked | undefined {
  const early = typeof window === 'undefined' ? undefined : window.plinthEarly
  const asked = early?.asked[path]
  if (!early || !asked) return undefined
  delete early.asked[path]
  return early.token === token && performance.now() < shelfLife ? asked : undefined
}
