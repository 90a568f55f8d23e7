import { Check, Minus } from 'lucide-react'
import { Fragment } from 'react'
import { roleNames } from '#contract/permissions'
import { roleMatrix } from '#contract/organizations/role-matrix'
import { Icon } from '../../../ui/Icon.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'

const letters = { Owner: 'O', Administrator: 'A', Developer: 'D', 'Read-only': 'R' } as const

/** Which role may do what: the table that the server decides by. */
export function RoleMatrixPanel({ onClose }: { onClose: () => void }) {
  return (
    <SidePanel open size="xlarge" title="What each role may do" onClose={onClose}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by the keyboard */}
      <section aria-label="Roles" tabIndex={0}>
        <table className="tbl rows-32 matrix">
          <thead>
            <tr>
              <th scope="col">
                <span className="sr">Action</span>
              </th>
              {roleNames.map((role) => (
                <th key={role} scope="col">
                  {role}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {roleMatrix.map(({ title, lines }) => (
              <Fragment key={title}>
                <tr>
                  <th scope="rowgroup" colSpan={1 + roleNames.length}>
                    {title}
                  </th>
                </tr>
                {lines.map(({ what, who }) => (
                  <tr key={what}>
                    <th scope="row">{what}</th>
                    {roleNames.map((role) => {
                      const may = who.includes(letters[role])
                      return (
                        <td key={role}>
                          <Icon
                            of={may ? Check : Minus}
                            size="s"
                            {...(may ? {} : { className: 'faint' })}
                          />
                          <span className="sr">{may ? 'yes' : 'no'}</span>
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
    </SidePanel>
  )
}
