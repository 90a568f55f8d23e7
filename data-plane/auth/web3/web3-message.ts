import { invalid } from '../errors.ts'

/** What a wallet signed, as EIP-4361 (Ethereum) and its sister for Solana write it. */
export type Web3Message = {
  domain: string
  address: string
  statement: string | undefined
  uri: string
  version: string
  chainId: string | undefined
  nonce: string | undefined
  issuedAt: string
  expirationTime: string | undefined
  notBefore: string | undefined
}

const longestMessage = 20 * 1024

/** The fields in the only order that there is, and whether one can be missing. */
const fields = {
  ethereum: [
    ['URI', true],
    ['Version', true],
    ['Chain ID', true],
    ['Nonce', false],
    ['Issued At', true],
    ['Expiration Time', false],
    ['Not Before', false],
    ['Request ID', false],
  ],
  solana: [
    ['Version', true],
    ['URI', true],
    ['Issued At', true],
    ['Not Before', false],
    ['Expiration Time', false],
    ['Chain ID', false],
    ['Nonce', false],
    ['Request ID', false],
  ],
} as const satisfies Record<string, readonly (readonly [string, boolean])[]>

export type Chain = keyof typeof fields

const titles: Record<Chain, string> = { ethereum: 'Ethereum', solana: 'Solana' }

/**
 * Reads a message to the letter: what is in it besides, twice, or at another place could mean one thing to the person who
 * signs and another to us. Wallets for Solana order the fields as they like, so there only each name has to be unique.
 */
export function parseWeb3Message(chain: Chain, text: string): Web3Message {
  if (text.length > longestMessage) throw invalid('message is too long')
  if (/[^\n\P{Cc}]/u.test(text)) throw invalid('message has control characters')
  const [first = '', address = '', empty, ...rest] = text.split('\n')
  const head = ` wants you to sign in with your ${titles[chain]} account:`
  if (!first.endsWith(head)) throw invalid('message does not begin as a sign-in')
  if (empty !== '') throw invalid('message has no empty line behind the address')
  const { statement, lines } = statementIn(chain, rest)
  const values = valuesIn(chain, lines)
  const get = (name: string) => values.get(name)
  return {
    domain: first.slice(0, -head.length).replace(/^https?:\/\//, ''),
    address,
    statement,
    uri: get('URI') ?? '',
    version: get('Version') ?? '',
    chainId: get('Chain ID'),
    nonce: get('Nonce'),
    issuedAt: get('Issued At') ?? '',
    expirationTime: get('Expiration Time'),
    notBefore: get('Not Before'),
  }
}

/** The one line for people, with an empty line behind it; without it one more empty line may stand there. */
function statementIn(chain: Chain, lines: string[]) {
  const [first = '', second] = lines
  const isField = fields[chain].some(([name]) => first.startsWith(`${name}: `))
  if (first === '') return { statement: undefined, lines: lines.slice(1) }
  if (isField) return { statement: undefined, lines }
  if (second !== '') throw invalid('message has no empty line behind the statement')
  return { statement: first, lines: lines.slice(2) }
}

function valuesIn(chain: Chain, lines: string[]): Map<string, string> {
  const at = lines.findIndex((line) => /^Resources:?$/.test(line))
  const named = at === -1 ? lines : lines.slice(0, at)
  const resources = at === -1 ? [] : lines.slice(at + 1)
  if (resources.some((line) => !/^- \S+$/.test(line))) throw invalid('message has odd resources')
  const known = fields[chain]
  const values = new Map<string, string>()
  let last = -1
  for (const line of named) {
    const place = known.findIndex(([name]) => line.startsWith(`${name}: `))
    const [name] = known[place] ?? []
    if (name === undefined || values.has(name))
      throw invalid('message has a line that does not belong there')
    if (chain === 'ethereum' && place < last)
      throw invalid('message has its fields in another order')
    last = place
    values.set(name, line.slice(name.length + 2))
  }
  const missing = known.find(([name, needed]) => needed && !values.get(name))
  if (missing) throw invalid(`message has no ${missing[0]}`)
  return values
}
