import { hasCheck, hasDefinition, type PolicySpec } from '#contract/ddl/policies'
import { nameProblem } from '../../../modules/objects/name-problem.ts'

/** A policy as the panel's form holds it: expressions are texts, empty where there is none. */
export type PolicyDraft = Omit<PolicySpec, 'definition' | 'check'> & {
  definition: string
  check: string
}

export const newPolicy = (schema: string, table: string): PolicyDraft => ({
  schema,
  table,
  name: '',
  action: 'PERMISSIVE',
  command: 'SELECT',
  roles: ['authenticated'],
  definition: '',
  check: '',
})

export const draftOf = (policy: PolicySpec): PolicyDraft => ({
  ...policy,
  definition: policy.definition ?? '',
  check: policy.check ?? '',
})

const expression = (text: string, asked: boolean) =>
  asked && text.trim() !== '' ? text.trim() : null

/** What its command does not ask is left out. */
export const specOf = (draft: PolicyDraft): PolicySpec => ({
  ...draft,
  name: draft.name.trim(),
  definition: expression(draft.definition, hasDefinition(draft.command)),
  check: expression(draft.check, hasCheck(draft.command)),
})

type Problems = { name?: string; roles?: string; definition?: string; check?: string }

export function problemsOf(draft: PolicyDraft, taken: readonly string[]): Problems {
  const { name, definition, check } = specOf(draft)
  const wrong =
    nameProblem(name) ??
    (taken.includes(name) ? 'Another policy of this table has this name' : undefined)
  const asksRows = hasDefinition(draft.command)
  const empty = definition === null && check === null
  return {
    ...(wrong ? { name: wrong } : {}),
    ...(draft.roles.length === 0 ? { roles: 'Choose at least one role' } : {}),
    ...(asksRows && empty ? { definition: 'Say which rows it is about; true is all of them' } : {}),
    ...(!asksRows && empty ? { check: 'Say which new rows are fine; true is all of them' } : {}),
  }
}
