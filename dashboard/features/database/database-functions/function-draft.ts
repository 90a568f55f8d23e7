import type { DatabaseFunction } from '#contract/database/database-functions'
import type { Argument, FunctionSpec } from '#contract/ddl/functions'
import { nameProblem } from '../../../modules/objects/name-problem.ts'

/** A row of the form; names change while they are typed, so it has an id of its own. */
export type DraftArgument = {
  id: string
  mode: 'in' | 'out' | 'inout' | 'variadic'
  name: string
  type: string
  default_value: string
}
export type DraftSetting = { id: string; name: string; value: string }

/** A function as the panel's form holds it: lists of rows, and texts where nothing is nothing. */
export type FunctionDraft = Omit<FunctionSpec, 'args' | 'config_params' | 'comment'> & {
  args: DraftArgument[]
  settings: DraftSetting[]
  comment: string
}

let count = 0
const nextId = () => `row-${(count += 1)}`

export const draftArgument = (): DraftArgument => ({
  id: nextId(),
  mode: 'in',
  name: '',
  type: 'text',
  default_value: '',
})
export const draftSetting = (name = '', value = ''): DraftSetting => ({ id: nextId(), name, value })

/** What most functions begin with. An empty search path is what the security advisor asks for. */
export const newDraft = (schema: string): FunctionDraft => ({
  kind: 'function',
  schema,
  name: '',
  args: [],
  return_type: 'void',
  language: 'plpgsql',
  body: 'quoted',
  definition: '\nbegin\n\nend;\n',
  behavior: 'VOLATILE',
  security_definer: false,
  strict: false,
  leakproof: false,
  parallel: 'UNSAFE',
  cost: 100,
  rows: 1000,
  settings: [draftSetting('search_path', '')],
  comment: '',
})

export function specOf(found: DatabaseFunction): FunctionSpec {
  return {
    ...found,
    kind: found.kind === 'procedure' ? 'procedure' : 'function',
    config_params: found.config_params ?? {},
  }
}

/** Columns of RETURNS TABLE are told by the return type; they are no arguments of the form. */
const isArgument = (arg: Argument): arg is Argument & { mode: DraftArgument['mode'] } =>
  arg.mode !== 'table'

export const draftOf = ({
  args,
  config_params,
  comment,
  ...rest
}: FunctionSpec): FunctionDraft => ({
  ...rest,
  args: args
    .filter(isArgument)
    .map((arg) => ({ ...arg, id: nextId(), default_value: arg.default_value ?? '' })),
  settings: Object.entries(config_params).map(([name, value]) => draftSetting(name, value)),
  comment: comment ?? '',
})

export const specOfDraft = ({ args, settings, comment, ...rest }: FunctionDraft): FunctionSpec => ({
  ...rest,
  return_type: rest.return_type.trim(),
  args: args.map(({ mode, name, type, default_value }) => ({
    mode,
    name,
    type: type.trim(),
    default_value: default_value.trim() === '' ? null : default_value.trim(),
  })),
  config_params: Object.fromEntries(settings.map(({ name, value }) => [name.trim(), value])),
  comment: comment.trim() === '' ? null : comment,
})

/** What is wrong, by the name of the field or the id of the row. */
export function problemsOf(draft: FunctionDraft): Record<string, string> {
  const problems: Record<string, string> = {}
  const name = nameProblem(draft.name)
  if (name) problems['name'] = name
  if (draft.kind === 'function' && draft.return_type.trim() === '')
    problems['return_type'] = 'Say what it returns; void is nothing'
  if (draft.definition.trim() === '') problems['definition'] = 'Write what it does'
  for (const { id, name: called, type } of draft.args) {
    const wrong = called === '' ? undefined : nameProblem(called)
    if (wrong) problems[id] = wrong
    if (type.trim() === '') problems[id] = 'An argument has a type'
  }
  const known = new Set<string>()
  for (const { id, name: key } of draft.settings) {
    if (key.trim() === '') problems[id] = 'Name the setting'
    if (known.has(key.trim())) problems[id] = 'This setting already exists'
    known.add(key.trim())
  }
  return problems
}

/** Why a function can only be looked at; undefined when it can be changed. */
export function lockOf(found: DatabaseFunction, ofSchema: string | undefined): string | undefined {
  if (ofSchema) return ofSchema
  if (found.extension)
    return `It belongs to the extension ${found.extension} and is removed with it.`
  if (found.kind === 'aggregate') return aggregatesBySql
  if (found.kind === 'window' || found.language === 'c' || found.language === 'internal')
    return 'It is compiled code; only its server can change it.'
  return undefined
}

export const aggregatesBySql = 'Aggregates are changed with SQL'
