export type Part = { text: string; href?: string }

const address = /https?:\/\/[^\s<>"]+/g

/** A mail's plain text cut into words and web addresses, so that addresses can be links without any HTML of the mail. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const match of text.matchAll(address)) {
    const href = match[0].replace(/[.,;:!?)\]]+$/, '')
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ text: href, href })
    from = match.index + href.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}
