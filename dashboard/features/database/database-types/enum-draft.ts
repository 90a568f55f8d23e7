import type { CustomType } from '#contract/database/database-types'
import type { EnumChange, TypeSpec } from '#contract/ddl/types'
import { nameProblem } from '../../../modules/objects/name-problem.ts'

/** A value in the form; `was` is what it is called in the database, if it is there. */
export type DraftValue = { id: string; was?: string; value: string }
export type EnumDraft = { name: string; comment: string; values: DraftValue[] }

let count = 0
export const draftValue = (was?: string): DraftValue => ({
  id: `value-${(count += 1)}`,
  ...(was === undefined ? {} : { was }),
  value: was ?? '',
})

export const newEnum = (): EnumDraft => ({
  name: '',
  comment: '',
  values: [draftValue(), draftValue()],
})

export const enumDraftOf = ({ name, comment, values }: CustomType): EnumDraft => ({
  name,
  comment: comment ?? '',
  values: values.map((value) => draftValue(value)),
})

const commentOf = ({ comment }: EnumDraft) => (comment.trim() === '' ? null : comment)

export const enumSpecOf = (schema: string, draft: EnumDraft): TypeSpec => ({
  schema,
  name: draft.name,
  kind: 'enum',
  values: draft.values.map(({ value }) => value),
  attributes: [],
  base_type: null,
  not_null: false,
  default_value: null,
  checks: [],
  comment: commentOf(draft),
})

export const enumChangeOf = (draft: EnumDraft): EnumChange => ({
  name: draft.name,
  comment: commentOf(draft),
  values: draft.values,
})

/** What is wrong, by `name` or the id of a value. */
export function problemsOf(draft: EnumDraft): Record<string, string> {
  const problems: Record<string, string> = {}
  const name = nameProblem(draft.name)
  if (name) problems['name'] = name
  const known = new Set<string>()
  for (const { id, value } of draft.values) {
    if (value === '') problems[id] = 'A value needs at least one character'
    else if (known.has(value)) problems[id] = 'This value already exists'
    else if (new TextEncoder().encode(value).length > 63)
      problems[id] = 'A value has at most 63 bytes'
    known.add(value)
  }
  return problems
}
