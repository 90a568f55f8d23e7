import { z } from 'zod'
import { RefusedError, type Ask } from '../manage/manage-client.ts'
import type { Session } from './connections.ts'
import { addressLabel, type DatabaseAddress } from './database-url.ts'
import { AnswerError, askJson, type Api } from './http.ts'
import type { Options } from './options.ts'
import { openSource, chosenSchemas, type Asked } from './source-store.ts'
import { knownSource, lockTarget } from './state-store.ts'
import { contentsOf, isSameDatabase, openTarget } from './target-store.ts'

const Detail = z.object({
  status: z.string(),
  endpoint: z.string(),
  db_host: z.string(),
  db_port: z.number().nullable(),
})
const Keys = z.array(
  z.looseObject({ name: z.string(), type: z.string().nullish(), api_key: z.string().nullish() }),
)

/** Where the project is, and how its owner enters it. @throws RefusedError */
export async function targetOf(ask: Ask, { ref, password }: Options) {
  const detail = await ask(`GET /platform/projects/${ref}`, Detail)
  const { status, db_host: host, db_port: port } = detail
  if (status !== 'ACTIVE_HEALTHY' || port === null)
    throw new RefusedError(`project ${ref} is ${status}: it must be up to be imported into`)
  const keys = await ask(`GET /v1/projects/${ref}/api-keys?reveal=true`, Keys)
  const found = keys.find(
    ({ name, type }) => type !== 'publishable' && (name === 'service_role' || type === 'secret'),
  )
  if (!found?.api_key) throw new RefusedError(`project ${ref} has no secret key to import with`)
  const address: DatabaseAddress = {
    host,
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    tls: 'prefer',
  }
  const api: Api = { url: detail.endpoint.replace(/\/+$/, ''), key: found.api_key }
  return { address, api }
}

type Sides = { source: Session | undefined; target: Session; targetApi: Api }

/** Asks the source everything that would stop an import half way. @throws RefusedError */
export async function checkSource(
  options: Options,
  { source, target, targetApi }: Sides,
): Promise<{ asked: Asked | undefined; label: string }> {
  const here = await openTarget(target)
  const { url, serviceKey, management } = options
  if (url === targetApi.url) throw new RefusedError('the source is the project itself')
  let asked: Asked | undefined
  if (source) {
    if (await isSameDatabase(source, target))
      throw new RefusedError('the source is the project itself')
    const { version } = await openSource(source)
    const [theirs, ours] = [version, here.version].map((one) => Math.floor(one / 10_000))
    if (theirs !== undefined && ours !== undefined && theirs > ours)
      throw new RefusedError(
        `the source is Postgres ${theirs}, newer than the ${ours} of the project`,
      )
    const schemas = await chosenSchemas(source, options.schemas)
    asked = { version, schemas, roles: here.roles }
  }
  if (url !== undefined && serviceKey !== undefined) {
    await asksWith(
      () => askJson({ url, key: serviceKey }, '/storage/v1/bucket', z.array(z.unknown())),
      '--from-service-key',
    )
  }
  if (management) {
    const api = { url: management.url, key: management.token }
    if (
      management.ref === options.ref &&
      targetApi.url.includes(options.ref) &&
      url === undefined &&
      !source
    )
      throw new RefusedError('the source is the project itself')
    const path = `/v1/projects/${management.ref}/functions`
    await asksWith(() => askJson(api, path, z.array(z.unknown())), '--from-access-token')
  }
  return { asked, label: labelOf(options) }
}

async function asksWith(ask: () => Promise<unknown>, flag: string): Promise<void> {
  try {
    await ask()
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error
    const isRefused = [400, 401, 403].includes(error.status)
    throw isRefused
      ? new RefusedError(`${flag} is refused: ${error.message}`, { cause: error })
      : error
  }
}

/** Something that is there already may be somebody's, and is not added to without a word. @throws RefusedError */
export async function checkTarget(options: Options, target: Session, label: string): Promise<void> {
  await lockTarget(target)
  if (options.isConfirmed || options.isRehearsal) return
  const known = await knownSource(target)
  if (known === label) return
  if (known !== undefined)
    throw new RefusedError(
      `this project has an import from ${known}; add --yes if ${label} is the same source, or drop schema plinth_import to begin anew`,
    )
  const contents = await contentsOf(target)
  if (contents !== undefined)
    throw new RefusedError(
      `project ${options.ref} is not empty (${contents}): add --yes to import beside it; nothing that is there is changed`,
    )
}

/** The name of a source in the report and in the notes of the target. */
const labelOf = ({ database, url, management }: Options) =>
  database ? addressLabel(database) : (url ?? `${management?.url ?? ''} ${management?.ref ?? ''}`)
