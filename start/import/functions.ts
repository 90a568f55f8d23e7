import { z } from 'zod'
import { FunctionSlug, largestFunction, maxFunctionFiles } from '#contract/v1/v1-functions'
import { RefusedError, type Ask } from '../manage/manage-client.ts'
import { askJson, refusal, send, AnswerError } from './http.ts'
import type { Base, Management } from './parts.ts'
import { posix } from 'node:path'

const Listed = z.looseObject({
  slug: z.string(),
  name: z.string().nullish(),
  status: z.string().nullish(),
  version: z.number().nullish(),
  verify_jwt: z.boolean().nullish(),
  entrypoint_path: z.string().nullish(),
  import_map_path: z.string().nullish(),
})
type Listed = z.output<typeof Listed>
const FunctionInfo = z.looseObject({
  entrypoint_path: z.string().nullish(),
  deno2_entrypoint_path: z.string().nullish(),
  import_map_path: z.string().nullish(),
})
const Secrets = z.array(z.looseObject({ name: z.string() }))

const base = ({ ref }: Management) => `/v1/projects/${encodeURIComponent(ref)}`

/** Each active function as it is deployed there, as one version here. */
export async function importFunctions(run: Base, from: Management): Promise<void> {
  const { state, report, isRehearsal, notify } = run
  const functions = await askJson(from.api, `${base(from)}/functions`, z.array(Listed))
  report.count('functions', 'edge function', { found: functions.length })
  if (isRehearsal) return
  const here = new Set(
    (await run.ask(`GET /v1/projects/${run.ref}/functions`, z.array(Listed))).map(
      ({ slug }) => slug,
    ),
  )
  for (const one of functions) {
    const leave = (reason: string) => report.leave('functions', 'edge function', one.slug, reason)
    if (await state.find('edge function', one.slug)) {
      report.count('functions', 'edge function', { before: 1 })
      continue
    }
    if (!FunctionSlug.safeParse(one.slug).success) leave('its name is none that is taken here')
    else if (here.has(one.slug)) leave('there is a function of this name, which stays')
    else {
      const failure = await importOne(run, from, one)
      if (failure !== undefined) {
        leave(failure)
        continue
      }
      await state.note('edge function', one.slug, { version: one.version ?? null })
      report.count('functions', 'edge function', { imported: 1 })
      notify(`functions: ${one.slug}`)
    }
  }
}

async function importOne(run: Base, from: Management, one: Listed): Promise<string | undefined> {
  try {
    const body = await filesOf(from, one)
    if (typeof body === 'string') return body
    await deploy(run.ask, run.ref, one, body)
    return undefined
  } catch (error) {
    if (error instanceof AnswerError && error.status === 401) throw error
    if (error instanceof RefusedError) return error.message
    throw error
  }
}

type Body = { files: FunctionFile[]; entrypoint: string; importMap: string | undefined }

/** The files of a function, or why they cannot be read. */
async function filesOf(from: Management, one: Listed): Promise<Body | string> {
  const path = `${base(from)}/functions/${one.slug}/body`
  const answer = await send(from.api, path, { headers: { accept: 'multipart/form-data' } })
  if (answer.statusCode !== 200) throw await refusal(from.api, answer)
  const type = String(answer.headers['content-type'] ?? '')
  if (!/^multipart\/form-data/i.test(type)) {
    await answer.body.dump()
    return 'the source gives only its bundle and no files: deploy it from where its code is'
  }
  const bytes = await limitedBytes(answer.body)
  if (!bytes) return `it is larger than ${largestFunction / 2 ** 20} MB`
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined)
  return form ? readForm(form, one) : 'the source answers with a form that cannot be read'
}

async function limitedBytes(body: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    // The form has some words around the files.
    if (size > largestFunction + 2 ** 20) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function readForm(form: FormData, one: Listed): Promise<Body | string> {
  const metadata = form.get('metadata')
  const text = metadata instanceof Blob ? await metadata.text() : (metadata ?? '{}')
  const info = FunctionInfo.safeParse(jsonOf(text)).data ?? {}
  const files: FunctionFile[] = []
  for (const part of form.getAll('file')) {
    if (!(part instanceof File)) continue
    const path = placed(one.slug, part.name)
    if (path === undefined) return `the path of a file leads out of the function: ${part.name}`
    files.push({ path, bytes: Buffer.from(await part.arrayBuffer()) })
  }
  if (files.length === 0) return 'the source gives no files of it: deploy it from where its code is'
  if (files.length > maxFunctionFiles) return `it has more than ${maxFunctionFiles} files`
  const paths = files.map(({ path }) => path)
  const named =
    info.deno2_entrypoint_path ?? info.entrypoint_path ?? one.entrypoint_path ?? undefined
  const entrypoint = entrypointOf(one.slug, named, paths)
  if (entrypoint === undefined) return 'no file is where it begins'
  const map = info.import_map_path ?? one.import_map_path ?? undefined
  const importMap = map === undefined ? undefined : entrypointOfMap(one.slug, map, paths)
  const { files: shorter, cut } = withoutCommonFolder(files)
  return { files: shorter, entrypoint: entrypoint.slice(cut), importMap: importMap?.slice(cut) }
}

const entrypointOfMap = (slug: string, map: string, paths: readonly string[]) => {
  const found = entrypointOf(slug, map, paths)
  return found !== undefined && /\.jsonc?$/.test(found) ? found : undefined
}

async function deploy(ask: Ask, ref: string, one: Listed, body: Body): Promise<void> {
  await ask(`POST /v1/projects/${ref}/functions/deploy?slug=${one.slug}`, z.unknown(), {
    metadata: {
      name: one.name || one.slug,
      entrypoint_path: body.entrypoint,
      ...(body.importMap === undefined ? {} : { import_map_path: body.importMap }),
      verify_jwt: one.verify_jwt ?? true,
    },
    file: body.files.map(({ path, bytes }) => ({ path, content: bytes.toString('base64') })),
  })
}

/** Their names: values never leave where they are kept. */
export async function importSecrets(run: Base, from: Management): Promise<void> {
  const { report, ref, ask } = run
  const named = (await askJson(from.api, `${base(from)}/secrets`, Secrets))
    .map(({ name }) => name)
    // Those that the platform gives every function.
    .filter((name) => !name.startsWith('SUPABASE_'))
  const here = new Set(
    (await ask(`GET /v1/projects/${ref}/secrets`, Secrets)).map(({ name }) => name),
  )
  const missing = named.filter((name) => !here.has(name))
  report.count('secrets', 'secret', { found: named.length, before: named.length - missing.length })
  for (const name of missing)
    report.leave('secrets', 'secret', name, 'its value cannot be read there: set it here')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type FunctionFile = { path: string; bytes: Buffer }

/** Where a function stands among others, so that a path to a neighbour (`../_shared/cors.ts`) stays below the root. */
const place = 'functions'

/** Paths as a deployment takes them: below one root, whatever folder the source had its files in. */
export function placed(slug: string, path: string): string | undefined {
  const plain = decodeQuietly(path.replace(/^file:\/\//, ''))
  if (plain === '' || /[\\\p{Cc}]/u.test(plain)) return undefined
  const joined = plain.startsWith('/') ? plain.replace(/^\/+/, '') : posix.join(place, slug, plain)
  const normal = posix.normalize(joined)
  return normal.startsWith('..') || normal === '.' ? undefined : normal
}

function decodeQuietly(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The file that the source names, wherever its folder stands; without one, what functions usually begin with. */
export function entrypointOf(
  slug: string,
  named: string | undefined,
  paths: readonly string[],
): string | undefined {
  const requested = named === undefined ? undefined : placed(slug, named)
  if (requested !== undefined) {
    if (paths.includes(requested)) return requested
    // The path of the machine that built it: the longest end that a file has as well.
    const parts = requested.split('/')
    for (let from = 1; from < parts.length; from += 1) {
      const end = parts.slice(from).join('/')
      const found = paths.find((path) => path === end || path.endsWith(`/${end}`))
      if (found !== undefined) return found
    }
  }
  return paths.find((path) => /(?:^|\/)index\.(?:ts|js|tsx|mjs)$/.test(path)) ?? paths[0]
}

/** Less depth where all files share a folder: people read these paths. */
export function withoutCommonFolder(files: readonly FunctionFile[]): {
  files: FunctionFile[]
  cut: number
} {
  const folders = files.map(({ path }) => path.split('/').slice(0, -1))
  const [first = []] = folders
  let shared = 0
  while (shared < first.length && folders.every((parts) => parts[shared] === first[shared]))
    shared += 1
  const cut = first.slice(0, shared).join('/').length + (shared > 0 ? 1 : 0)
  return { files: files.map(({ path, bytes }) => ({ path: path.slice(cut), bytes })), cut }
}
