import { createSafeFetch } from '#kit/network/safe-fetch'
import type { WebhookOptions } from '../options.ts'
import type { Plane } from '../plane.ts'
import { createWebhooks } from '../webhooks/webhooks.ts'

/** Sends the calls of webhooks from when the process listens until it closes. */
export function mountWebhooks(
  { app, projects, reachesLoopback, log }: Plane,
  options: WebhookOptions,
): void {
  const fetch = createSafeFetch({ allowLoopback: reachesLoopback, timeoutMs: 30_000, redirects: 0 })
  /** A function of the project itself is called where it is, whatever way its address would go. */
  const ownFunctionsOf = ({
    connection: { ref, url },
  }: {
    connection: { ref: string; url: string }
  }) => {
    const at = app.server.address()
    if (at === null || typeof at === 'string') return undefined
    const any = at.address === '0.0.0.0' || at.address === '::'
    const host = any ? '127.0.0.1' : at.family === 'IPv6' ? `[${at.address}]` : at.address
    const path = '/functions/v1/'
    return { prefix: url + path, address: `http://${host}:${at.port}/${ref}${path}` }
  }
  const open = (ref: string) => projects.open(ref)
  const webhooks = createWebhooks({ ...options, log, open, fetch, ownFunctionsOf })
  app.addHook('onListen', () => webhooks.start())
  app.addHook('preClose', () => webhooks.close())
}
