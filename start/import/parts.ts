import type { Ask } from '../manage/manage-client.ts'
import type { Session } from './connections.ts'
import type { Api } from './http.ts'
import type { Report } from './report.ts'
import type { Asked } from './source-store.ts'
import type { State } from './state-store.ts'

export type Management = { api: Api; ref: string }

/** What every part has. */
export type Base = {
  ask: Ask
  ref: string
  target: Session
  targetApi: Api
  state: State
  report: Report
  /** Says how far it is; a person reads it. */
  notify: (line: string) => void
  /** Nothing is changed: what there is is counted. */
  isRehearsal: boolean
}
/** What is read by a session with the source. */
export type Run = Base & {
  source: Session
  asked: Asked
  connectSource: () => Promise<Session>
  /** Rows that are kept or lost together. */
  partRows: number
}
