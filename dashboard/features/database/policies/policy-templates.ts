import type { GuardedTable } from '#contract/database/database-policies'
import { ident } from '#contract/ddl/sql-text'
import type { PolicyDraft } from './policy-draft.ts'

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
