import type { SigningKeys } from './signature.ts'

/** Where it learns whose calls are sent, and by which secrets they are signed. */
export type WebhookSource = {
  /** The projects whose webhooks are enabled, or whose databases have pg_net. */
  webhooks(): Promise<string[]>
  /** The projects whose databases have pg_net. */
  net(): Promise<string[]>
  /** The secrets that sign calls of a project, by their ids. Rejects when nobody can tell at the moment. */
  webhookKeys(ref: string): Promise<Record<string, SigningKeys>>
  /** Hears of every moment at which that, or how a project is reached, may have changed. Returns how to stop listening. */
  onAnyChange(listener: () => void): () => void
}
