import type { AuthConfig } from '../config.ts'

/** Schemes that run code or read files where the link is opened; no allow-list entry makes them a target. */
const neverSchemes = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'])
const longestTarget = 2048

/**
 * The target of a link: the one asked for when it has the site's origin or matches the allow-list, else the site.
 * Works on the parsed URL, so what is compared is what a browser will open; a fragment is dropped.
 */
export function redirectTarget(config: AuthConfig, asked: string | undefined): string {
  const url = asked === undefined ? undefined : parse(asked)
  if (!url || neverSchemes.has(url.protocol) || url.username !== '' || url.password !== '') {
    return config.siteUrl
  }
  url.hash = ''
  const site = parse(config.siteUrl)
  const sameSite = isWeb(url) && site?.protocol === url.protocol && site.host === url.host
  const forms =
    url.pathname === '/' && url.search === '' ? [url.href, url.href.slice(0, -1)] : [url.href]
  const listed = config.uriAllowList.some((glob) => forms.some((form) => matchesGlob(glob, form)))
  return sameSite || listed ? url.href : config.siteUrl
}

function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:'
}

function parse(text: string): URL | undefined {
  return text.length <= longestTarget && URL.canParse(text) ? new URL(text) : undefined
}

type Part = { kind: 'char'; char: string } | { kind: 'one' } | { kind: 'segment' } | { kind: 'any' }

/**
 * Matches a whole text: `?` is one character and `*` any number of them, both without `.` and `/`; `**` is anything.
 * Follows all possibilities at once, so the cost is pattern times text whatever the pattern is.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const parts = partsOf(glob)
  let states = closure(parts, new Set([0]))
  for (const char of text) {
    const next = new Set<number>()
    for (const state of states) {
      const part = parts[state]
      if (part && accepts(part, char))
        next.add(part.kind === 'char' || part.kind === 'one' ? state + 1 : state)
    }
    states = closure(parts, next)
    if (states.size === 0) return false
  }
  return states.has(parts.length)
}

function partsOf(glob: string): Part[] {
  return (glob.match(/\*+|[^*]/gsu) ?? []).map((token): Part => {
    if (token === '*') return { kind: 'segment' }
    if (token.startsWith('*')) return { kind: 'any' }
    return token === '?' ? { kind: 'one' } : { kind: 'char', char: token }
  })
}

function accepts(part: Part, char: string): boolean {
  switch (part.kind) {
    case 'char':
      return part.char === char
    case 'any':
      return true
    case 'one':
    case 'segment':
      return char !== '.' && char !== '/'
  }
}

/** Adds the states behind stars, which may match nothing. */
function closure(parts: Part[], states: Set<number>): Set<number> {
  // A set that grows while it is walked also yields the new members.
  for (const state of states) {
    const kind = parts[state]?.kind
    if (kind === 'segment' || kind === 'any') states.add(state + 1)
  }
  return states
}

/** A target with parameters behind `#` (implicit flow) or in the query (PKCE). */
export function withFragment(target: string, values: Record<string, string>): string {
  return `${target}#${new URLSearchParams(values).toString()}`
}

export function withQuery(target: string, values: Record<string, string>): string {
  const url = new URL(target)
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
  return url.href
}
