import { Download, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { changeName, sqlOf, type Change } from '#contract/ddl/change'
import { migrationTools } from '#contract/database/migration-tools'
import { migrations, type Migration } from '#contract/database/migrations'
import { queryClient } from '../../../api/client.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { ofMigrations } from './queries.ts'

type Props = { projectRef: string; migration: Migration; onClose: () => void }

/** One migration: its SQL, and what takes it back where somebody has said so. */
export function MigrationPanel({ projectRef, migration, onClose }: Props) {
  const { version, name, statements, rollback } = migration
  const [back, setBack] = useState<Change>()
  const [marking, setMarking] = useState(false)
  const why = useDenials(useProject(projectRef))
  const mark = useDatabaseCall(migrationTools.mark, {
    changes: ofMigrations,
    onSuccess: () => {
      toast.success(`${version} is marked as reverted`)
      onClose()
    },
  })
  const way = rollback && rollback.length > 0 ? rollback : undefined
  const noWay = way ? undefined : 'No statement that undoes it was recorded.'
  return (
    <SidePanel
      open
      size="xlarge"
      onClose={onClose}
      title={<span className="mono">{name ?? version}</span>}
      footer={
        <>
          <Button
            size="form"
            variant="ghost"
            disabledReason={why(migrationTools.mark)}
            onClick={() => setMarking(true)}
          >
            Mark as reverted
          </Button>
          <span className="grow" />
          <Button
            size="form"
            icon={Download}
            onClick={() =>
              saveFile(
                `${version}_${name ?? 'migration'}.sql`,
                `${sqlOf(statements)}\n`,
                'application/sql',
              )
            }
          >
            Save as file
          </Button>
          <Button
            size="form"
            icon={Undo2}
            disabledReason={why(migrations.change) ?? noWay}
            onClick={() =>
              way &&
              setBack({
                name: changeName('undo', name ?? version),
                statements: way,
                inverse: statements,
              })
            }
          >
            Undo
          </Button>
        </>
      }
    >
      <div className="form-stack">
        <section>
          <h3 className="section-title">SQL</h3>
          {statements.length > 0 ? (
            <CodeBlock code={sqlOf(statements)} language="sql" what="SQL" />
          ) : (
            <p className="help">The tool that recorded this migration did not keep its SQL.</p>
          )}
        </section>
        {way && (
          <section>
            <h3 className="section-title">SQL that undoes it</h3>
            <CodeBlock code={sqlOf(way)} language="sql" what="SQL that undoes it" />
          </section>
        )}
      </div>
      <ReviewChange
        projectRef={projectRef}
        change={back}
        title="Undo migration"
        verb="Undo migration"
        danger
        onClose={() => setBack(undefined)}
        // It can have changed anything about the structure.
        onAnswer={() => void queryClient.invalidateQueries()}
        changes={ofMigrations}
        onDone={() => {
          toast.success('Change undone')
          onClose()
        }}
      >
        <Alert variant="warning" title="This runs as a new migration">
          The original record stays. Rows that came with the change are deleted.
        </Alert>
      </ReviewChange>
      <ConfirmDialog
        open={marking}
        title={`Mark ${version} as reverted`}
        verb="Mark as reverted"
        error={mark.error?.message}
        pending={mark.isPending}
        onClose={() => setMarking(false)}
        onConfirm={() => mark.mutate({ ref: projectRef, version, as: 'reverted' })}
      >
        <p>
          This removes only the record: nothing runs, and the structure stays as it is. Migration
          tools will run the file with this version again.
        </p>
      </ConfirmDialog>
    </SidePanel>
  )
}
