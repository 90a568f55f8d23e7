/** Pages that an answer may link to. Any other address is shown as text: a click could carry data to somebody else. */
const manual = 'https://www.postgresql.org/docs/'

/** The address to link to, or undefined when it must stay text. Spelled out by the browser's own parser, which knows the tricks. */
export function safeLink(href: string | undefined): string | undefined {
  if (!href || !URL.canParse(href)) return undefined
  const url = new URL(href)
  const plain = url.username === '' && url.password === '' && url.search === ''
  return plain && url.href.startsWith(manual) ? url.href : undefined
}
