import type { CustomType } from '#contract/database/database-types'

/** The columns that have a type. */
export function UsedBy({ type }: { type: CustomType }) {
  if (type.used_by.length === 0) return <p className="help">No column has this type.</p>
  return (
    <div>
      <p className="help">Columns that have it:</p>
      <ul className="plain-list mono">
        {type.used_by.map(({ schema, table, column }) => (
          <li key={`${schema}.${table}.${column}`}>
            {schema}.{table}.{column}
          </li>
        ))}
      </ul>
    </div>
  )
}
