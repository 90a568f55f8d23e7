import { readObjectSearch, type ObjectSearch } from '../../../modules/objects/schemas.ts'

export type WebhookSearch = ObjectSearch & {
  /** The webhook whose calls are looked at, by the id of its trigger. */
  calls?: string | undefined
}

export const readWebhookSearch = (search: Record<string, unknown>): WebhookSearch => ({
  ...readObjectSearch(search),
  ...(typeof search['calls'] === 'string' ? { calls: search['calls'] } : {}),
})
