import { settingName } from '#contract/projects/branch-travel'
import type { BranchDifference } from '#contract/projects/branches'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SettingsList } from './SettingsList.tsx'

type Named = BranchDifference['migrations'][number]

/** What a merge would carry over, and what stands in its way. */
export function DifferenceCards({ difference }: { difference: BranchDifference }) {
  const { migrations, missing, functions, conflicts, clashes, unrecorded } = difference
  const { settings, missing_settings, setting_conflicts } = difference
  return (
    <>
      {clashes.length > 0 && (
        <Alert variant="danger" title="Main has other migrations under the same versions">
          Give one of each another version: {clashes.join(', ')}.
        </Alert>
      )}
      {conflicts.length > 0 && (
        <Alert variant="warning" title="Functions were changed here and on main">
          {conflicts.join(', ')}. After an update from main, a merge deploys what this branch has.
        </Alert>
      )}
      {setting_conflicts.length > 0 && (
        <Alert variant="warning" title="Settings were changed here and on main">
          {setting_conflicts.map(settingName).join(', ')}. Choose a side when you update from main.
        </Alert>
      )}
      {unrecorded !== null && unrecorded > 0 && (
        <Alert
          variant="warning"
          title={
            unrecorded === 1
              ? '1 change of the structure is in no migration'
              : `${unrecorded} changes of the structure are in no migration`
          }
        >
          Only migrations are merged. Changes made by clicking are recorded; those of the SQL editor
          are when you save them as a migration.
        </Alert>
      )}
      <Card title="To be merged" padded={false}>
        {migrations.length + functions.length + settings.length === 0 ? (
          <p className="branch-none muted">This branch has nothing that main has not.</p>
        ) : (
          <>
            <Migrations list={migrations} />
            <ul className="branch-list">
              {functions.map(({ slug, change }) => (
                <li key={slug} className="row">
                  <span className="grow">
                    Function <span className="mono">{slug}</span>
                  </span>
                  {change === 'only_main' ? (
                    <Badge>Only on main, stays there</Badge>
                  ) : (
                    <Badge tone="info">{change === 'added' ? 'New' : 'Changed'}</Badge>
                  )}
                </li>
              ))}
            </ul>
            <SettingsList list={settings} />
          </>
        )}
      </Card>
      {missing.length + missing_settings.length > 0 && (
        <Card title="On main, and not on this branch" padded={false}>
          <Migrations list={missing} />
          <SettingsList list={missing_settings} />
        </Card>
      )}
    </>
  )
}

const Migrations = ({ list }: { list: readonly Named[] }) => (
  <ul className="branch-list">
    {list.map(({ version, name, statements }) => (
      <li key={version}>
        <details>
          <summary>
            <span className="med">{name ?? 'Migration'}</span>{' '}
            <span className="mono muted">{version}</span>
          </summary>
          {statements.length > 0 ? (
            <CodeBlock
              code={statements.join(';\n')}
              language="sql"
              what={`the SQL of ${name ?? version}`}
            />
          ) : (
            <p className="muted">It was recorded without its SQL.</p>
          )}
        </details>
      </li>
    ))}
  </ul>
)
