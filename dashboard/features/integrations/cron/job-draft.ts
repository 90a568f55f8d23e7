import { qualified, quoteLiteral } from '#contract/ddl/sql-text'

export type JobKind = 'sql' | 'function' | 'http' | 'edge'

/** What the fields of a job's command show and tell. */
export type TargetProps = {
  projectRef: string
  /** The role that the job runs as. */
  username: string
  draft: CommandDraft
  problems: DraftProblems
  change: (part: Partial<CommandDraft>) => void
}

/** What a job runs, as its form holds it: what was typed for another kind is kept. */
export type CommandDraft = {
  kind: JobKind
  sql: string
  schema: string
  name: string
  method: HttpMethod
  url: string
  /** An edge function of the project. */
  slug: string
  headers: (JobHeader & { id: string })[]
  body: string
  timeout: string
}

let count = 0
export const headerRow = (header: JobHeader): JobHeader & { id: string } => ({
  ...header,
  id: `header-${(count += 1)}`,
})

const jsonHeader = (): JobHeader => ({ name: 'Content-Type', value: 'application/json' })

/** Where the edge functions of a project answer. */
const functionsAt = (endpoint: string) => `${endpoint}/functions/v1/`

/** @param endpoint the project's address */
export function draftOf(sql: string, endpoint: string): CommandDraft {
  const command = commandOf(sql)
  const draft: CommandDraft = {
    kind: command.kind,
    sql,
    schema: 'public',
    name: '',
    method: 'POST',
    url: '',
    slug: '',
    headers: [headerRow(jsonHeader())],
    body: '',
    timeout: String(httpTimeout.usual),
  }
  if (command.kind === 'function') return { ...draft, schema: command.schema, name: command.name }
  if (command.kind !== 'http') return draft
  const { method, url, headers, body, timeout } = command
  const slug = url.startsWith(functionsAt(endpoint)) ? url.slice(functionsAt(endpoint).length) : ''
  return {
    ...draft,
    kind: /^[\w-]+$/.test(slug) ? 'edge' : 'http',
    method,
    url,
    slug,
    headers: headers.map(headerRow),
    body,
    timeout: String(timeout),
  }
}

/** The statement that the job is to run. */
export function draftText(draft: CommandDraft, endpoint: string): string {
  const { kind, sql, schema, name, method, url, slug, body, timeout } = draft
  switch (kind) {
    case 'sql':
      return sql
    case 'function':
      return commandText({ kind, schema, name })
    case 'http':
    case 'edge':
      return commandText({
        kind: 'http',
        method,
        url: kind === 'edge' ? functionsAt(endpoint) + slug : url.trim(),
        headers: draft.headers
          .filter((header) => header.name.trim() !== '')
          .map(({ name: header, value, secret }) => ({
            name: header.trim(),
            value,
            ...(secret && { secret }),
          })),
        body,
        timeout: Number(timeout),
      })
  }
}

export type DraftProblems = Partial<
  Record<'sql' | 'name' | 'url' | 'slug' | 'headers' | 'body' | 'timeout', string>
>

/** What has to be put right before it can be sent, by its field. */
export function draftProblems(draft: CommandDraft): DraftProblems {
  switch (draft.kind) {
    case 'sql':
      return draft.sql.trim() ? {} : { sql: 'Enter what is to be run' }
    case 'function':
      return draft.name ? {} : { name: 'Choose a function' }
    case 'http':
      return { ...requestProblems(draft), ...(isUrl(draft.url) ? {} : { url: 'Enter a URL' }) }
    case 'edge':
      return {
        ...requestProblems(draft),
        ...(draft.slug ? {} : { slug: 'Choose an edge function' }),
      }
  }
}

function requestProblems({ method, headers, body, timeout }: CommandDraft): DraftProblems {
  const { least, max } = httpTimeout
  const ms = /^\d{1,6}$/.test(timeout.trim()) ? Number(timeout) : NaN
  const wrong = headers.find(({ name, value }) => !isHeader(name.trim(), value))
  return {
    ...(ms >= least && ms <= max ? {} : { timeout: `Enter ${least} to ${max} milliseconds` }),
    ...(method === 'GET' || body.trim() === '' || isJson(body) ? {} : { body: 'Enter valid JSON' }),
    ...(wrong && { headers: `“${wrong.name.trim()}” is not a valid header` }),
  }
}

/** RFC 9110 §5.5 and §5.6.2; a row that nothing was typed into is none. */
const isHeader = (name: string, value: string) =>
  (name === '' && value === '') ||
  (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value))

function isUrl(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text.trim()).protocol)
  } catch {
    return false
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * What a job runs, as its form knows it. Each kind but SQL is one statement in a fixed form, so that the form of a job that was
 * made here, or written by hand in the same way, shows what it does; everything else is SQL.
 */
export type JobCommand =
  | { kind: 'sql'; sql: string }
  | { kind: 'function'; schema: string; name: string }
  | HttpCommand
type HttpCommand = {
  kind: 'http'
  method: HttpMethod
  url: string
  headers: JobHeader[]
  /** JSON; empty: none. */
  body: string
  /** Milliseconds. */
  timeout: number
}
export const httpMethods = ['GET', 'POST', 'DELETE'] as const
type HttpMethod = (typeof httpMethods)[number]
/** With `secret` the value is the name of a secret of the vault, which is put behind `before`. */
type JobHeader = { name: string; value: string; secret?: { before: string } }

/** Milliseconds that an answer is waited for. */
export const httpTimeout = { least: 100, max: 30_000, usual: 5000 } as const

/** The statement. */
export function commandText(command: JobCommand): string {
  switch (command.kind) {
    case 'sql':
      return command.sql
    case 'function':
      return `select ${qualified(command.schema, command.name)}();`
    case 'http':
      return httpText(command)
  }
}

const literal = (text: string) => quoteLiteral(text).trim()

function httpText({ method, url, headers, body, timeout }: HttpCommand): string {
  const pairs = headers.flatMap(({ name, value, secret }) => [
    literal(name),
    secret ? secretText(value, secret.before) : literal(value),
  ])
  const parts = [
    `url := ${literal(url)}`,
    `headers := jsonb_build_object(${pairs.join(', ')})`,
    ...(method === 'GET' || body.trim() === '' ? [] : [`body := ${literal(body)}::jsonb`]),
    `timeout_milliseconds := ${timeout}`,
  ]
  return `select net.http_${method.toLowerCase()}(\n  ${parts.join(',\n  ')}\n) as request_id;`
}

const secretText = (name: string, before: string) =>
  `${before ? `${literal(before)} || ` : ''}(select decrypted_secret from vault.decrypted_secrets where name = ${literal(name)})`

const text = String.raw`(?:'(?:[^']|'')*'|E'(?:[^'\\]|''|\\\\)*')`
const name = String.raw`(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)`
const functionForm = new RegExp(`^\\s*select\\s+(${name})\\.(${name})\\(\\s*\\)\\s*;?\\s*$`, 'i')
const httpForm = new RegExp(
  [
    String.raw`^\s*select\s+net\.http_(get|post|delete)\(\s*`,
    String.raw`url\s*:=\s*(${text})\s*,\s*`,
    String.raw`headers\s*:=\s*jsonb_build_object\(([^]*?)\)\s*,\s*`,
    String.raw`(?:body\s*:=\s*(${text})::jsonb\s*,\s*)?`,
    String.raw`timeout_milliseconds\s*:=\s*(\d{1,6})\s*\)\s*(?:as\s+request_id)?\s*;?\s*$`,
  ].join(''),
  'i',
)
const secretForm = String.raw`(?:(${text})\s*\|\|\s*)?\(\s*select\s+decrypted_secret\s+from\s+vault\.decrypted_secrets\s+where\s+name\s*=\s*(${text})\s*\)`
const pairForm = new RegExp(
  String.raw`\s*(${text})\s*,\s*(?:${secretForm}|(${text}))\s*(?:,|$)`,
  'iy',
)

/** The kind that a statement is of. */
export function commandOf(sql: string): JobCommand {
  const [, schema, called] = functionForm.exec(sql) ?? []
  if (schema && called)
    return { kind: 'function', schema: unquoted(schema), name: unquoted(called) }
  return httpOf(sql) ?? { kind: 'sql', sql }
}

function httpOf(sql: string): HttpCommand | undefined {
  const [, verb, url, pairs = '', body, timeout] = httpForm.exec(sql) ?? []
  const method = httpMethods.find((one) => one.toLowerCase() === verb?.toLowerCase())
  const headers = method && headersOf(pairs)
  if (!method || !url || !headers) return undefined
  return {
    kind: 'http',
    method,
    url: textOf(url),
    headers,
    body: body === undefined ? '' : textOf(body),
    timeout: Number(timeout),
  }
}

function headersOf(pairs: string): JobHeader[] | undefined {
  const headers: JobHeader[] = []
  pairForm.lastIndex = 0
  let at = 0
  while (at < pairs.trimEnd().length) {
    const found = pairForm.exec(pairs)
    if (!found) return undefined
    const [, key = "''", before, secret, plain] = found
    headers.push(
      secret === undefined
        ? { name: textOf(key), value: textOf(plain ?? "''") }
        : {
            name: textOf(key),
            value: textOf(secret),
            secret: { before: before === undefined ? '' : textOf(before) },
          },
    )
    at = pairForm.lastIndex
  }
  return headers
}

const unquoted = (ident: string) =>
  ident.startsWith('"') ? ident.slice(1, -1).replaceAll('""', '"') : ident.toLowerCase()

/** What a literal stands for: one that `quoteLiteral` made. */
function textOf(quoted: string): string {
  const isEscaped = /^e/i.test(quoted)
  const inside = quoted.slice(isEscaped ? 2 : 1, -1).replaceAll("''", "'")
  return isEscaped ? inside.replaceAll('\\\\', '\\') : inside
}
