import type { Draft } from '../../../../session/identity/drafts.ts'
import type { Values } from '../running/query-values.ts'

/** What one tab has not saved yet of a query. `revision` is the one its changes started from; null when there is none yet. */
export type QueryDraft = Draft & { values: Values; revision: number | null }
