import {
  tablePrivileges,
  type RoleAccess,
  type TablePrivilege,
} from '#contract/ddl/tables/table-shape'
import { Checkbox } from '../../ui/controls/Checkbox.tsx'

type Props = {
  access: readonly RoleAccess[]
  /** What the project gives a new table; missing for a table that is there already. */
  given?: readonly RoleAccess[] | undefined
  onChange: (access: RoleAccess[]) => void
}

const shown = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const
const roleHelp: Record<string, string> = {
  anon: 'anybody with the public key',
  authenticated: 'signed-in users',
  service_role: 'your servers, bypassing row level security',
}
const words: Record<(typeof shown)[number], string> = {
  SELECT: 'Read',
  INSERT: 'Add',
  UPDATE: 'Change',
  DELETE: 'Delete',
}

const privateWords =
  'New tables of this project are private. To let apps reach this one, select a role here, which adds a GRANT to the SQL. You can change this in the Data API settings.'
const grantedWords =
  'New tables of this project are granted to every role at once. Clear a role to keep it out, which adds a REVOKE to the SQL. You can change this in the Data API settings.'
/** The roles that apps have; the role of servers keeps its access in either case. */
const isPrivate = (given: readonly RoleAccess[]) =>
  given.every(({ role, privileges }) => role === 'service_role' || privileges.length === 0)

/** What each of the API's roles may do with the table, before row level security looks at single rows. */
export function AccessEditor({ access, given, onChange }: Props) {
  const set = (role: string, wanted: TablePrivilege[]) => {
    // Rights that are not shown here, as TRUNCATE, go with the last of those that are.
    const privileges = shown.some((one) => wanted.includes(one)) ? wanted : []
    onChange(access.map((one) => (one.role === role ? { role, privileges } : one)))
  }
  return (
    <fieldset className="columns-editor">
      <legend className="section-title">API access</legend>
      {given && <p className="help">{isPrivate(given) ? privateWords : grantedWords}</p>}
      <div className="access-grid">
        {access.map(({ role, privileges }) => {
          const some = privileges.length > 0
          const all = shown.every((one) => privileges.includes(one))
          return (
            <div className="access-row" key={role}>
              <Checkbox
                label={
                  <>
                    <span className="mono">{role}</span>
                    <span className="choice-help">{roleHelp[role]}</span>
                  </>
                }
                checked={all}
                mixed={some && !all}
                onChange={({ target }) => set(role, target.checked ? [...tablePrivileges] : [])}
              />
              {shown.map((privilege) => (
                <Checkbox
                  key={privilege}
                  label={words[privilege]}
                  checked={privileges.includes(privilege)}
                  onChange={({ target }) =>
                    set(
                      role,
                      target.checked
                        ? [...privileges, privilege]
                        : privileges.filter((one) => one !== privilege),
                    )
                  }
                />
              ))}
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}
