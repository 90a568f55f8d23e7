import { useEffect, useRef, useState } from 'react'
import { realtime } from '#contract/realtime/realtime-config'
import { call } from '../../../api/client.ts'
import { keyClaims, type Impersonation } from '../../../modules/roles/impersonation.ts'
import { nothingHeard } from './messages.ts'
import { Inspection, unseen, type Seen, type Wanted } from './inspection.ts'

type Project = { ref: string; url: string }

/** Seconds before its end at which a token is asked for anew. */
const spare = 120

/** Watches one channel at a time, as whoever was chosen; ends with the page. */
export function useInspection({ ref, url }: Project) {
  const [seen, setSeen] = useState<Seen>(unseen)
  const running = useRef<Inspection>(undefined)
  const stop = () => {
    const { current } = running
    running.current = undefined
    void current?.stop()
  }
  useEffect(() => stop, [])

  function start(wanted: Wanted, as: Impersonation | undefined): void {
    stop()
    running.current = new Inspection({
      url,
      wanted,
      token: tokensFor(ref, url, as),
      onSeen: setSeen,
    })
    void running.current.start()
  }
  function clear(): void {
    if (running.current) running.current.clear()
    else setSeen((before) => ({ ...before, ...nothingHeard }))
  }
  return { seen, start, stop, clear, channel: () => running.current }
}

function tokensFor(ref: string, url: string, as: Impersonation | undefined) {
  const now = new Date()
  const role = as?.role ?? 'service_role'
  const issuer = `${url}/auth/v1`
  const own = { issuer, now, sessionId: crypto.randomUUID(), aal: 'aal1' } as const
  const claims = as?.claims ?? keyClaims('service_role', own)
  let last: { token: string; api_key: string; expires_at: number } | undefined
  return async () => {
    if (!last || last.expires_at - Date.now() / 1000 < spare) {
      last = await call(realtime.token, { ref, as: { role, claims } })
    }
    return last
  }
}
