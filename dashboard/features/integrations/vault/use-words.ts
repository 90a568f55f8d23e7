import type { VaultUse } from '#contract/integrations/vault'

const kinds: Record<VaultUse['kind'], string> = {
  cron: 'Cron job',
  webhook: 'Webhook',
  trigger: 'Trigger',
  event_trigger: 'Event trigger',
  function: 'Function',
  view: 'View',
  policy: 'Policy',
  default: 'Default value',
  server: 'Foreign server',
  mapping: 'User mapping',
  foreign_table: 'Foreign table',
}

export const kindOf = ({ kind }: VaultUse): string => kinds[kind]

/** By which people know it: `public.send_mail`, `on_order of public.orders`, `postgres on billing`. */
export function placeOf({ kind, schema, owner, name }: VaultUse): string {
  if (kind === 'mapping') return `${owner ?? 'everybody'} on ${name}`
  const at = [schema, owner].filter((part) => part !== null).join('.')
  if (owner !== null) return `${name} of ${at}`
  return at === '' ? name : `${at}.${name}`
}

/** What is less than certain about it, or goes by another: undefined where its text reads the vault itself. */
export function noteOf({ through, reads }: VaultUse): string | undefined {
  if (through !== null) return `Calls ${through}`
  return reads ? undefined : 'Contains the name, but does not mention the vault'
}

export const countText = (uses: number): string => (uses === 1 ? '1 place' : `${uses} places`)

export function bySecret(uses: readonly VaultUse[]): ReadonlyMap<string, readonly VaultUse[]> {
  const found = new Map<string, VaultUse[]>()
  for (const use of uses) {
    const list = found.get(use.secret)
    if (list) list.push(use)
    else found.set(use.secret, [use])
  }
  return found
}
