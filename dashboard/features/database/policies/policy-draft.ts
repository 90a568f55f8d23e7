import type { GuardedTable } from '#contract/database/database-policies'
import { hasCheck, hasDefinition, type PolicySpec } from '#contract/ddl/policies'
import { ident } from '#contract/ddl/sql-text'
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

export type PolicyTemplate = {
  id: string
  title: string
  help: string
  fill: Partial<Omit<PolicyDraft, 'schema' | 'table'>>
}

/** The column that most likely says whose row it is. */
export function ownerColumn(columns: GuardedTable['columns']): string {
  const ids = columns.filter(({ type }) => type === 'uuid')
  const known = ['user_id', 'owner_id', 'owner', 'author_id', 'created_by', 'profile_id']
  const named = known.find((name) => ids.some((column) => column.name === name))
  return named ?? ids.find(({ name }) => /user|owner|author|member/i.test(name))?.name ?? 'user_id'
}

/** Beginnings for the policies that most tables need. In a sub-select, a function is asked once and not for every row. */
export function policyTemplates({ columns }: Pick<GuardedTable, 'columns'>): PolicyTemplate[] {
  const own = `(select auth.uid()) = ${ident(ownerColumn(columns))}`
  const permissive = { action: 'PERMISSIVE', definition: '', check: '' } as const
  const restrictive = {
    action: 'RESTRICTIVE',
    command: 'ALL',
    roles: ['authenticated'],
    check: '',
  } as const
  const mine = { ...permissive, roles: ['authenticated'] }
  return [
    {
      id: 'read-all',
      title: 'Everybody reads',
      help: 'All rows, even without signing in.',
      fill: {
        ...permissive,
        name: 'Everybody can read',
        command: 'SELECT',
        roles: ['public'],
        definition: 'true',
      },
    },
    {
      id: 'own-all',
      title: 'Users do anything with their own rows',
      help: 'They read, add, change and delete rows with their user ID.',
      fill: {
        ...mine,
        name: 'Users manage their own rows',
        command: 'ALL',
        definition: own,
        check: own,
      },
    },
    {
      id: 'own-read',
      title: 'Users read their own rows',
      help: 'Only rows with their user ID.',
      fill: { ...mine, name: 'Users read their own rows', command: 'SELECT', definition: own },
    },
    {
      id: 'own-insert',
      title: 'Users add rows of their own',
      help: 'New rows must have their user ID.',
      fill: { ...mine, name: 'Users add their own rows', command: 'INSERT', check: own },
    },
    {
      id: 'own-update',
      title: 'Users change their own rows',
      help: 'They cannot assign them to someone else.',
      fill: {
        ...mine,
        name: 'Users change their own rows',
        command: 'UPDATE',
        definition: own,
        check: own,
      },
    },
    {
      id: 'own-delete',
      title: 'Users delete their own rows',
      help: 'Only rows with their user ID.',
      fill: { ...mine, name: 'Users delete their own rows', command: 'DELETE', definition: own },
    },
    {
      id: 'signed-in-insert',
      title: 'Signed-in users add rows',
      help: 'Any row, once they have signed in.',
      fill: { ...mine, name: 'Signed-in users can add rows', command: 'INSERT', check: 'true' },
    },
    {
      id: 'team',
      title: 'Members of a team',
      help: 'Rows of the teams that they belong to in a members table.',
      fill: {
        ...mine,
        name: 'Members see the rows of their teams',
        command: 'SELECT',
        definition:
          'team_id in (\n  select team_id from members where user_id = (select auth.uid())\n)',
      },
    },
    {
      id: 'claim',
      title: 'By a claim in the token',
      help: 'A value of app_metadata, which users cannot change themselves.',
      fill: {
        ...mine,
        name: 'Editors change everything',
        command: 'UPDATE',
        definition: "(select auth.jwt() -> 'app_metadata' ->> 'role') = 'editor'",
        check: "(select auth.jwt() -> 'app_metadata' ->> 'role') = 'editor'",
      },
    },
    {
      id: 'second-factor',
      title: 'Require a second factor',
      help: 'Restrictive: applies in addition to other policies.',
      fill: {
        ...restrictive,
        name: 'Only with a second factor',
        definition: "(select auth.jwt() ->> 'aal') = 'aal2'",
      },
    },
    {
      id: 'no-anonymous',
      title: 'No anonymous users',
      help: 'Restrictive: users who signed in anonymously are authenticated too.',
      fill: {
        ...restrictive,
        name: 'No anonymous users',
        definition: "(select (auth.jwt() ->> 'is_anonymous')::boolean) is not true",
      },
    },
  ]
}
