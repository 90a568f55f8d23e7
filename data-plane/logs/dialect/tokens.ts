/**
 * The public dialects write some things in a way that the engine's parser cannot read. This step rewrites these and nothing
 * else; what is allowed is decided on the tree (`tree.ts`), so nothing hangs on this step finding everything.
 */

/** `analytics`: the older one, where double quotes are texts. `columns`: the newer one, where they are names. */
export type Dialect = 'analytics' | 'columns'

type Token = { kind: 'word' | 'text' | 'name' | 'number' | 'symbol' | 'space'; text: string }

/** Texts (also raw ones, r'...'), names in backticks, comments, numbers and words; every other character is a symbol. */
const token =
  /(?<raw>\br(?:'[^']*'|"[^"]*"))|(?<text>'(?:[^'\\]|\\.|'')*')|(?<double>"(?:[^"\\]|\\.|"")*")|(?<tick>`[^`]*`)|(?<comment>--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)|(?<space>\s+)|(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<word>[a-z_][\w$]*)|(?<symbol>[\s\S])/giy

function tokensOf(sql: string, dialect: Dialect): Token[] {
  const tokens: Token[] = []
  for (const { groups = {} } of sql.matchAll(token)) {
    const { raw, text, double, tick, comment, space, number, word, symbol } = groups
    if (raw !== undefined) tokens.push({ kind: 'text', text: quoted(raw.slice(2, -1)) })
    else if (text !== undefined)
      tokens.push({ kind: 'text', text: quoted(plain(text.slice(1, -1), "'")) })
    else if (double !== undefined)
      tokens.push(
        dialect === 'analytics'
          ? { kind: 'text', text: quoted(plain(double.slice(1, -1), '"')) }
          : { kind: 'name', text: double },
      )
    else if (tick !== undefined)
      tokens.push({ kind: 'name', text: `"${tick.slice(1, -1).replaceAll('"', '""')}"` })
    else if (comment !== undefined || space !== undefined) tokens.push({ kind: 'space', text: ' ' })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol })
  }
  return tokens
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', 0: '' }
/** What a text with escapes stands for. `\d` and its like are kept as they are: patterns are full of them. */
const plain = (text: string, quote: string): string =>
  text
    .replaceAll(quote + quote, quote)
    .replaceAll(/\\(.)/gs, (all, char: string) =>
      /[\\'"`]/.test(char) ? char : (escapes[char] ?? all),
    )
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The text as the engine's parser can read it. */
export function readable(sql: string, dialect: Dialect): string {
  const tokens = tokensOf(sql, dialect)
  while (tokens.at(-1)?.kind === 'space' || tokens.at(-1)?.text === ';') tokens.pop()
  const solid = () => tokens.map((_, at) => at).filter((at) => tokens[at]?.kind !== 'space')
  rewriteWords(tokens)
  rewriteOffsets(tokens, solid())
  rewriteParametric(tokens)
  return tokens.map(({ text }) => text).join('')
}

function rewriteWords(tokens: Token[]): void {
  tokens.forEach((each, at) => {
    if (each.kind === 'word' && each.text.toLowerCase() === 'safe_cast') {
      tokens[at] = { kind: 'word', text: 'try_cast' }
    }
  })
}

/** `x[offset(0)]`, `x[safe_offset(0)]` and `x[ordinal(1)]`; the engine counts from 1. */
function rewriteOffsets(tokens: Token[], solid: number[]): void {
  solid.forEach((at, n) => {
    const word = tokens[at]?.text.toLowerCase()
    if (word !== 'offset' && word !== 'safe_offset' && word !== 'ordinal') return
    const around = [-1, 1, 2, 3, 4].map((by) => solid[n + by])
    const [open, paren, index, close, end] = around.map((place) =>
      place === undefined ? undefined : tokens[place],
    )
    if (open?.text !== '[' || paren?.text !== '(' || close?.text !== ')' || end?.text !== ']')
      return
    if (index?.kind !== 'number') return
    const number = Number(index.text) + (word === 'ordinal' ? 0 : 1)
    tokens[at] = { kind: 'number', text: String(number) }
    for (const place of around.slice(1, 4))
      if (place !== undefined) tokens[place] = { kind: 'space', text: ' ' }
  })
}

/** `quantile(0.95)(x)`: what stands in the first parentheses becomes the first arguments. */
function rewriteParametric(tokens: Token[]): void {
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]?.text !== ')') continue
    const next = nextSolid(tokens, at)
    if (next === undefined || tokens[next]?.text !== '(') continue
    const open = openingOf(tokens, at)
    const name = open === undefined ? undefined : tokens[open - 1]
    // `in (1) (2)` and the like are no calls.
    if (
      name?.kind !== 'word' ||
      !/^(?:quantile|quantileexact|quantiletdigest|topk)s?$/i.test(name.text)
    )
      continue
    tokens[at] = { kind: 'symbol', text: ',' }
    tokens[next] = { kind: 'space', text: ' ' }
  }
}

function nextSolid(tokens: Token[], from: number): number | undefined {
  const at = tokens.findIndex(({ kind }, place) => place > from && kind !== 'space')
  return at < 0 ? undefined : at
}

function openingOf(tokens: Token[], close: number): number | undefined {
  let depth = 0
  for (let at = close; at >= 0; at--) {
    if (tokens[at]?.text === ')') depth += 1
    if (tokens[at]?.text === '(' && --depth === 0) return at
  }
  return undefined
}
