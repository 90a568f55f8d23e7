import { tablePrivileges, type RoleAccess, type TablePrivilege } from '#contract/ddl/table-shape'
import { Checkbox } from '../../ui/Checkbox.tsx'

type Props = { access: readonly RoleAccess[]; onChange: (access: RoleAccess[]) => void }

const shown = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const
const roleHelp: Record<string, string> = {
  anon: 'anybody with the public key',
  authenticated: 'signed-in users',
  service_role: 'your servers, past row level security',
}
const words: Record<(typeof shown)[number], string> = {
  SELECT: 'Read',
  INSERT: 'Add',
  UPDATE: 'Change',
  DELETE: 'Delete',
}

/** What each of the API's roles may do with the table, before row level security looks at single rows. */
export function AccessEditor({ access, onChange }: Props) {
  const set = (role: string, wanted: TablePrivilege[]) => {
    // Rights that are not shown here, as TRUNCATE, go with the last of those that are.
    const privileges = shown.some((one) => wanted.includes(one)) ? wanted : []
    onChange(access.map((one) => (one.role === role ? { role, privileges } : one)))
  }
  return (
    <fieldset className="columns-editor">
      <legend className="section-title">API access</legend>
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
