import type { Log } from '#kit/log'
import type { SafeFetch } from '#kit/network/safe-fetch'
import type { OpenProject } from '../projects/open-project.ts'
import { createWorkers } from '../projects/workers.ts'
import type { OwnFunctions } from './call.ts'
import { Sender, type SenderOptions } from './sender.ts'

/** Where it learns whose webhooks are enabled. */
export type WebhookSource = {
  webhooks(): Promise<string[]>
  /** Hears of every moment at which that, or how a project is reached, may have changed. Returns how to stop listening. */
  onAnyChange(listener: () => void): () => void
}
type Options = {
  source: WebhookSource
  /** Rejects while the project has no running database. */
  open: (ref: string) => Promise<OpenProject | undefined>
  fetch: SafeFetch
  ownFunctionsOf: (project: OpenProject) => OwnFunctions | undefined
  log: Log
  timing?: SenderOptions['timing']
}

const usualTiming = { look: 30_000, forget: 600_000 }

/** A sender for every project whose webhooks are enabled, as long as it runs. */
export const createWebhooks = ({
  source,
  open,
  fetch,
  ownFunctionsOf,
  log,
  timing = usualTiming,
}: Options) =>
  createWorkers({
    what: 'The webhooks',
    desired: () => source.webhooks(),
    onAnyChange: (listener) => source.onAnyChange(listener),
    open,
    start: (project) => new Sender({ project, fetch, own: ownFunctionsOf(project), timing, log }),
    log,
  })
