import { routeFinder, type RouteParts } from '#contract/route-parts'

/** How near a link is to what is on the screen when the parts of its page are fetched (requirements §9). */
const margin = '200px'

/** The browser's word for a person who pays by the byte. */
type Navigator = { connection?: { saveData?: boolean } }

/**
 * Fetches the parts of pages that links near the screen lead to, while the browser has nothing else to do. They are kept, not
 * run: what a page shows is asked for when somebody points at its link.
 */
export async function watchNearLinks(): Promise<void> {
  if ((navigator as Navigator).connection?.saveData) return
  const answer = await fetch('/route-parts.json')
  if (!answer.ok) return
  // Written by our own build.
  const find = routeFinder((await answer.json()) as RouteParts)
  const known = new Set(
    [...document.querySelectorAll<HTMLLinkElement>('link[href]')].map(
      ({ href }) => new URL(href).pathname,
    ),
  )
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue
        near.unobserve(target)
        for (const file of find(target.pathname) ?? []) prefetch(`/${file}`)
      }
    },
    { rootMargin: margin },
  )

  function prefetch(path: string) {
    if (known.has(path)) return
    known.add(path)
    const link = document.createElement('link')
    link.rel = 'prefetch'
    link.as = path.endsWith('.css') ? 'style' : 'script'
    link.crossOrigin = ''
    link.href = path
    document.head.append(link)
  }
  function watch(root: Element) {
    if (root.matches('a[href^="/"]')) near.observe(root)
    for (const link of root.querySelectorAll('a[href^="/"]')) near.observe(link)
  }
  watch(document.body)
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node instanceof Element) watch(node)
  }).observe(document.body, { childList: true, subtree: true })
}
