/** A refusal of the data API, in the shape of its protocol: `{code, message, details, hint}` (contract §8). */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly details: unknown
  readonly hint: string | null
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    more: { details?: unknown; hint?: string | null; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.details = more.details ?? null
    this.hint = more.hint ?? null
    this.headers = more.headers ?? {}
  }

  body(): string {
    const { code, details, hint, message } = this
    return JSON.stringify({ code, details, hint, message })
  }
}

/** The query string is not in the grammar. `what` names the part, `at` is where in it reading stopped. */
export function badQuery(what: string, text: string, at: number, expected: string): Problem {
  const char = text[at]
  const found =
    char === undefined ? 'unexpected end of input' : `unexpected ${JSON.stringify(char)}`
  return new Problem(
    400,
    'PGRST100',
    `"failed to parse ${what} (${text})" (line 1, column ${at + 1})`,
    { details: `${found} expecting ${expected}` },
  )
}

export const badBody = (message: string, details: string | null = null): Problem =>
  new Problem(400, 'PGRST102', message, { details })

export const badRange = (details: string, headers: Record<string, string> = {}): Problem =>
  new Problem(416, 'PGRST103', 'Requested range not satisfiable', { details, headers })

/** Of a PUT. */
export const otherKey = (): Problem =>
  new Problem(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)')

/** PGRST301 or PGRST303. */
export function badToken(code: string, message: string, details: string | null): Problem {
  // A header cannot hold every character; the words are ours, so nothing is lost in practice.
  const words = message.replaceAll(/[^\x20-\x7e]|["\\]/g, '')
  const challenge = `Bearer error="invalid_token", error_description="${words}"`
  return new Problem(401, code, message, { details, headers: { 'www-authenticate': challenge } })
}

export const notSingular = (rows: string | number): Problem =>
  new Problem(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows} rows`,
  })
