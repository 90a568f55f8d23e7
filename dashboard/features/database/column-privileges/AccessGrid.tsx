import { useState } from 'react'
import {
  databasePrivileges,
  type ColumnPrivileges,
  type TablePrivileges,
} from '#contract/database/database-privileges'
import {
  changeColumnAccess,
  columnPrivileges,
  holdsOn,
  withColumn,
  withTable,
  type ColumnPrivilege,
} from '#contract/ddl/privileges'
import { useDenials } from '../../../session/organization/permissions.ts'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { accessOf, everybody } from './access-of.ts'

type Props = {
  projectRef: string
  table: TablePrivileges
  columns: readonly ColumnPrivileges[]
  role: string
}

/** A tick for each column and privilege. What is ticked waits until it is applied. */
export function AccessGrid({ projectRef, table, columns, role }: Props) {
  const before = accessOf(role, table, columns)
  const forAll = accessOf(everybody, table, columns)
  const [access, setAccess] = useState(before)
  const review = useReview(projectRef, databasePrivileges.tables, databasePrivileges.columns)
  const locked =
    useDenials(useProject(projectRef))(databasePrivileges.grantColumns) ?? protection(table.schema)
  const names = columns.map(({ column_name }) => column_name)
  const change = changeColumnAccess(
    { schema: table.schema, table: table.name, role },
    before,
    access,
  )
  const apply = () =>
    change &&
    review.ask({
      change,
      title: `What ${role} may do with ${table.name}`,
      verb: 'Apply',
      done: 'Privileges are changed',
    })
  const whole = (privilege: ColumnPrivilege) => {
    const held = names.filter((name) => holdsOn(access, name, privilege)).length
    return {
      checked: access.table.includes(privilege),
      mixed: held > 0 && !access.table.includes(privilege),
    }
  }
  return (
    <div className="card">
      <div className="tbl-scroll">
        <table className="tbl privileges" aria-label={`Privileges of ${role} on ${table.name}`}>
          <thead>
            <tr>
              <th scope="col">Column</th>
              {columnPrivileges.map((privilege) => (
                <th key={privilege} scope="col">
                  {privilege.charAt(0) + privilege.slice(1).toLowerCase()}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr className="privilege-whole">
              <th scope="row">
                Whole table <span className="choice-help">Future columns too</span>
              </th>
              {columnPrivileges.map((privilege) => (
                <td key={privilege}>
                  <Tick
                    label={`${privilege} on the whole table`}
                    {...whole(privilege)}
                    forAll={forAll.table.includes(privilege)}
                    locked={locked}
                    onTick={(on) => setAccess(withTable(access, privilege, on))}
                  />
                </td>
              ))}
            </tr>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">
                  <span className="mono">{name}</span>
                </th>
                {columnPrivileges.map((privilege) => (
                  <td key={privilege}>
                    <Tick
                      label={`${privilege} on ${name}`}
                      checked={holdsOn(access, name, privilege)}
                      forAll={holdsOn(forAll, name, privilege)}
                      locked={locked}
                      onTick={(on) => setAccess(withColumn(access, names, name, privilege, on))}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <footer className="privilege-foot">
        <span className="muted t12 grow">
          {change ? 'Not applied yet' : `As ${role} has it now`}
        </span>
        <Button size="form" disabled={!change} onClick={() => setAccess(before)}>
          Reset
        </Button>
        <Button
          size="form"
          variant="primary"
          disabled={!change}
          disabledReason={locked}
          onClick={apply}
        >
          Apply
        </Button>
      </footer>
      {review.dialog}
    </div>
  )
}

type TickProps = {
  label: string
  checked: boolean
  mixed?: boolean
  /** Everybody has it, so it cannot be taken from one role. */
  forAll: boolean
  locked: string | undefined
  onTick: (on: boolean) => void
}

function Tick({ label, checked, mixed = false, forAll, locked, onTick }: TickProps) {
  const reason = locked ?? (forAll ? 'Everybody (PUBLIC) has this privilege' : undefined)
  return (
    <span data-tip={reason}>
      <Checkbox
        label={label}
        hideLabel
        checked={checked || forAll}
        mixed={mixed && !forAll}
        disabled={reason !== undefined}
        onChange={(event) => onTick(event.target.checked)}
      />
    </span>
  )
}
