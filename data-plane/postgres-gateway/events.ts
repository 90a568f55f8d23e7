import type { Refusal } from './refusals.ts'
import type { Session } from './session.ts'
import type { Startup } from './startup.ts'

/** How a client at a shared port is given connections to the server. Absent: it came by the port of its project. */
export type PoolMode = 'session' | 'transaction'
type Facts = { address: string; startup: Startup; mode?: PoolMode }

/** What happens to connections of clients. */
export type ConnectionEvent =
  /** It leads to the server, which asks who it is. */
  | { kind: 'opened'; session: Session }
  /** The server has let it in. */
  | ({ kind: 'connected'; processId: number } & Facts)
  /** `startup` is undefined where it did not come to that. */
  | {
      kind: 'refused'
      address: string
      mode?: PoolMode
      startup?: Startup | undefined
      refusal: Refusal
      by: 'gateway' | 'server'
    }
  /** One that was opened; `processId` is undefined where the server had not let it in. */
  | ({ kind: 'ended'; processId: number | undefined; seconds: number; session: Session } & Facts)
