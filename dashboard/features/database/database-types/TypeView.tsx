import { createType } from '#contract/ddl/types'
import { sqlOf } from '#contract/ddl/change'
import type { CustomType } from '#contract/database/database-types'
import { Alert } from '../../../ui/Alert.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { UsedBy } from './UsedBy.tsx'

type Props = { type: CustomType; reason: string | undefined; onClose: () => void }

/** A type to read: its parts, what it would take to make it, and the columns that have it. */
export function TypeView({ type, reason, onClose }: Props) {
  return (
    <SidePanel
      open
      size="large"
      onClose={onClose}
      title={
        <>
          <span className="mono">{type.name}</span> {type.kind}
        </>
      }
    >
      <div className="form-stack">
        {reason && <Alert variant="neutral" title={reason} />}
        {type.comment && <p className="help">{type.comment}</p>}
        {type.attributes.length > 0 && (
          <table className="tbl rows-32" aria-label="Attributes">
            <thead>
              <tr>
                <th>Attribute</th>
                <th>Type</th>
              </tr>
            </thead>
            <tbody>
              {type.attributes.map((attribute) => (
                <tr key={attribute.name}>
                  <td className="mono">{attribute.name}</td>
                  <td className="mono">{attribute.type}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <CodeBlock code={sqlOf(createType(type).statements)} language="sql" what="SQL" />
        <UsedBy type={type} />
      </div>
    </SidePanel>
  )
}
