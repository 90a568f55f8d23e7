import { changeName, type Change } from './change.ts'
import { createIndex, dropIndex } from './indexes.ts'
import { ident, qualified, quoteLiteral } from './sql-text.ts'

/** A finding of the advisors, as far as its repair depends on it. */
export type Finding = { name: string; metadata: Readonly<Record<string, unknown>> }

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const texts = (value: unknown) =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

/** What the metadata says of the thing, under the names that all findings use. */
function factsOf({ metadata }: Finding) {
  const [schema, name] = [text(metadata['schema']), text(metadata['name'])]
  return { schema, name, target: qualified(schema, name), metadata }
}
type Facts = ReturnType<typeof factsOf>

const enableSecurity = ({ name, target }: Facts): Change => ({
  name: changeName('enable_rls', name),
  statements: [`alter table ${target} enable row level security`],
  inverse: [`alter table ${target} disable row level security`],
})

const revoke = ({ name, target }: Facts): Change => ({
  name: changeName('hide_from_api', name),
  statements: [`revoke all on ${target} from anon, authenticated`],
  inverse: [`grant select on ${target} to anon, authenticated`],
})

/** A subquery without anything of the row in it runs once for the statement. */
export const askedOnce = (expression: string) =>
  expression.replaceAll(
    /(?<!SELECT \(*)(auth\.(?:uid|jwt|role|email)\(\)|current_setting\((?:[^()']|'(?:[^']|'')*')*\))/g,
    '(select $1)',
  )

function alterPolicy({ target, metadata }: Facts, rewrite: (expression: string) => string): string {
  const [using, check] = [text(metadata['using']), text(metadata['check'])]
  return [
    `alter policy ${ident(text(metadata['policy']))} on ${target}`,
    ...(using ? [`  using (${rewrite(using)})`] : []),
    ...(check ? [`  with check (${rewrite(check)})`] : []),
  ].join('\n')
}

function duplicates({ schema, name, metadata }: Facts): Change {
  const [all, needed] = [texts(metadata['indexes']), texts(metadata['needed'])]
  const definitions = texts(metadata['definitions'])
  const keep = needed.length > 0 ? needed : all.slice(0, 1)
  const dropped = all
    .map((index, at) => ({ index, definition: definitions[at] ?? '' }))
    .filter(({ index }) => !keep.includes(index))
  return {
    name: changeName('drop_duplicate_index', name),
    statements: dropped.map(({ index }) => `drop index ${qualified(schema, index)}`),
    inverse: dropped.map(({ definition }) => definition).filter(Boolean),
  }
}

const functionOf = ({ target, metadata }: Facts) =>
  `${metadata['type'] === 'procedure' ? 'procedure' : 'function'} ${target}(${text(metadata['arguments'])})`

/** The change that mends a finding, where one can be made without a person's judgement. */
export function fixOf(finding: Finding): Change | undefined {
  const facts = factsOf(finding)
  const { schema, name, target, metadata } = facts
  switch (finding.name) {
    case 'unindexed_foreign_keys': {
      const columns = texts(metadata['columns']).map((column) => ({ name: column }))
      return createIndex({ schema, table: name, columns, method: 'btree', concurrently: true })
    }
    case 'unused_index': {
      const index = { schema, name: text(metadata['index']) }
      return dropIndex(
        { ...index, definition: text(metadata['definition']) },
        { concurrently: true },
      )
    }
    case 'duplicate_index':
      return duplicates(facts)
    case 'rls_disabled_in_public':
    case 'policy_exists_rls_disabled':
      return enableSecurity(facts)
    case 'security_definer_view':
      return {
        name: changeName('security_invoker', name),
        statements: [`alter view ${target} set (security_invoker = on)`],
        inverse: [`alter view ${target} reset (security_invoker)`],
      }
    case 'auth_users_exposed':
    case 'materialized_view_in_api':
    case 'foreign_table_in_api':
      return revoke(facts)
    case 'function_search_path_mutable':
      return {
        name: changeName('fix_search_path', name),
        statements: [
          `alter ${functionOf(facts)} set search_path = ${ident(schema)}, extensions, pg_temp`,
        ],
        inverse: [`alter ${functionOf(facts)} reset search_path`],
      }
    case 'extension_in_public':
      return metadata['relocatable'] === true
        ? {
            name: changeName('move_extension', name),
            statements: [`alter extension ${ident(name)} set schema extensions`],
            inverse: [`alter extension ${ident(name)} set schema public`],
          }
        : undefined
    case 'extension_versions_outdated':
      return {
        name: changeName('update_extension', name),
        statements: [`alter extension ${ident(name)} update`],
      }
    case 'auth_rls_initplan':
      return {
        name: changeName('policy_asks_once', text(metadata['policy'])),
        statements: [alterPolicy(facts, askedOnce)],
        inverse: [alterPolicy(facts, (expression) => expression)],
      }
    default:
      return undefined
  }
}

/** SQL to begin with where a person has to decide; undefined where SQL is not what helps. */
export function draftOf(finding: Finding): string | undefined {
  const facts = factsOf(finding)
  const { target, metadata } = facts
  switch (finding.name) {
    case 'no_primary_key':
      return `-- Or make one of the columns that are there the key: add primary key (...).\nalter table ${target} add column id bigint generated always as identity primary key;`
    case 'rls_enabled_no_policy':
      return `-- Say which rows who may see; without a policy nobody sees any.\ncreate policy "Read own rows" on ${target}\n  for select to authenticated\n  using ((select auth.uid()) = user_id);`
    case 'multiple_permissive_policies':
      return `-- Join these to one policy with "or", then drop the others.\nselect policyname, cmd, roles, qual, with_check\nfrom pg_policies\nwhere (quote_ident(schemaname) || '.' || quote_ident(tablename))::regclass = to_regclass(${quoteLiteral(target)});`
    case 'rls_references_user_metadata':
      return `-- Users cannot change app_metadata. Set it with the service role first.\n${alterPolicy(facts, (expression) => expression.replaceAll("'user_metadata'", "'app_metadata'"))};`
    case 'unsupported_reg_types': {
      const column = ident(text(metadata['column']))
      return `alter table ${target}\n  alter column ${column} type text using ${column}::text;`
    }
    case 'fkey_to_auth_unique':
      return `-- Then reference the primary key: foreign key (...) references auth.users (id).\nalter table ${target} drop constraint ${ident(text(metadata['fkey_name']))};`
    case 'leaked_service_key': {
      const oid = Number(metadata['oid'])
      return metadata['type'] === 'function'
        ? `-- Take the key out of this text, then replace it in the project settings.\nselect pg_get_functiondef(${oid});`
        : undefined
    }
    case 'table_bloat':
      return `-- Locks the table while it is rebuilt. It cannot run inside a transaction.\nvacuum (full, analyze) ${target};`
    default:
      return undefined
  }
}
