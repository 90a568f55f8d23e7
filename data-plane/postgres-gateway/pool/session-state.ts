import { quoteLiteral } from '#contract/ddl/sql-text'
import type { Refusal } from '../refusals.ts'

/** Settings that a client keeps from one transaction to the next, on whichever connection: the server reports each change of them. */
const tracked = new Map(
  [
    'client_encoding',
    'DateStyle',
    'TimeZone',
    'IntervalStyle',
    'standard_conforming_strings',
    'application_name',
  ].map((name) => [name.toLowerCase(), name]),
)
export const isTracked = (name: string) => tracked.get(name.toLowerCase()) === name

/** What a client wants of each connection that it gets: of the tracked settings, and others that it began with. */
export type Wanted = {
  reported: Map<string, string>
  others: readonly (readonly [string, string])[]
}

const unreadable: Refusal = {
  code: '22023',
  message:
    'the options of the startup packet cannot be read: only -c NAME=VALUE is understood here',
}
const noReplication: Refusal = {
  code: '0A000',
  message: 'replication is not possible in transaction mode',
  hint: 'Connect to the port for session mode, or to the database itself.',
}

/** What the parameters of a startup packet ask for. */
export function wantedOf(parameters: ReadonlyMap<string, string>): Wanted | { refusal: Refusal } {
  const all: [string, string][] = []
  for (const [name, value] of parameters) {
    if (name === 'replication') return { refusal: noReplication }
    if (name !== 'options') all.push([name, value])
  }
  const words = (parameters.get('options') ?? '').match(/(?:\\[\s\S]|[^\s\\])+/g) ?? []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const setting = word === '-c' ? (words[++at] ?? '') : word.replace(/^(?:-c|--)/, '')
    const [, name = '', value = ''] = /^([\w.-]+)=([\s\S]*)$/.exec(setting) ?? []
    if (name === '' || !/^-(?:c|-)/.test(word)) return { refusal: unreadable }
    all.push([name.replaceAll('-', '_'), value.replace(/\\([\s\S])/g, '$1')])
  }
  const reported = new Map<string, string>()
  const others: [string, string][] = []
  for (const [name, value] of all) {
    const known = tracked.get(name.toLowerCase())
    if (known === undefined) others.push([name, value])
    else reported.set(known, value)
  }
  return { reported, others }
}

/** Whether the server would take these as they are, and they are not worth asking. */
export function isPlain({ reported, others }: Wanted, now: ReadonlyMap<string, string>): boolean {
  const same = (value: string) => value.toLowerCase().replace(/[^a-z0-9]/g, '')
  return (
    others.length === 0 &&
    [...reported].every(([name, value]) =>
      name === 'application_name'
        ? /^[\x20-\x7e]{0,63}$/.test(value)
        : same(value) === same(now.get(name) ?? ''),
    )
  )
}

/** Makes a connection whose settings are `now` what the client wants. Undefined: it is. */
export function applySql(
  { reported, others }: Wanted,
  now: ReadonlyMap<string, string>,
): string | undefined {
  const set = (name: string, value: string) =>
    `pg_catalog.set_config(${quoteLiteral(name)},${quoteLiteral(value)},false)`
  const calls = others.map(([name, value]) => set(name, value))
  for (const [name, value] of reported) if (now.get(name) !== value) calls.push(set(name, value))
  return calls.length === 0 ? undefined : `select ${calls.join(',')}`
}

/** Ends what outlives a transaction, so that the next client does not meet it. Statements that are prepared here stay. */
export const resetSql = [
  'close all',
  'set session authorization default',
  'reset role',
  'reset all',
  'unlisten *',
  'select pg_catalog.pg_advisory_unlock_all()',
  'discard temp',
  'discard sequences',
].join(';')
/** Those go, too: some have names that a client has given. */
export const forgetSql = `${resetSql};deallocate all`
