import {
  commandOf,
  commandText,
  httpTimeout,
  type HttpMethod,
  type JobHeader,
} from './job-command.ts'

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
