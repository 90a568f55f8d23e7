import { Identifier, Replica, Replicas } from '#contract/projects/replicas'
import { RefusedError } from './manage-client.ts'
import { refIn, UsageError, type Context, type Result, type Command } from './manage-command.ts'

/** The replica that has most of what the primary has written, as far as that is known. */
function closest(replicas: readonly Replica[]): string {
  const behind = ({ lag_bytes: bytes }: Replica) => bytes ?? Number.MAX_SAFE_INTEGER
  const [first] = replicas
    .filter(({ status }) => status === 'ACTIVE_HEALTHY')
    .toSorted((a, b) => behind(a) - behind(b))
  if (!first) throw new RefusedError('the project has no healthy read replica')
  return first.identifier
}

async function failover(rest: string[], { ask, flags }: Context): Promise<Result> {
  const ref = refIn(rest.slice(0, 1))
  const [, named] = rest
  if (named !== undefined && !Identifier.safeParse(named).success)
    throw new UsageError(`"${named}" is not the identifier of a read replica`)
  const path = `/platform/projects/${ref}/read-replicas`
  const identifier = named ?? closest((await ask(`GET ${path}`, Replicas)).replicas)
  const force = flags.force ?? false
  const data = await ask(`POST ${path}/${identifier}/promote`, Replica, { force })
  return { data, lines: [`${ref} is being failed over to its read replica ${identifier}`] }
}

/** Failover on an operator's command. */
export const failoverCommands: Readonly<Record<string, Command>> = {
  'projects failover': {
    takes: 'REF [IDENTIFIER] [--force]',
    does: 'Promotes a read replica to primary: the one with the least lag, or the one you name. --force promotes it even if the primary does not answer; what the replica has not received is lost',
    max: 2,
    run: failover,
  },
}
