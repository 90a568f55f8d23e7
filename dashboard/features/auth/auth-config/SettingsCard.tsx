import type { ReactNode } from 'react'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SaveCancel } from '../../../ui/controls/SaveCancel.tsx'
import { AskFirst } from './AskFirst.tsx'
import type { SettingsGroup } from './setting-field.ts'
import { SettingFields } from './SettingFields.tsx'
import { useSettings } from './use-settings.ts'

type Props = SettingsGroup & { projectRef: string; children?: ReactNode }

/** Some settings of the auth service that belong together, saved together. */
export function SettingsCard({ children, ...group }: Props) {
  const { projectRef, title } = group
  const settings = useSettings(group)
  return (
    <>
      <Form
        error={settings.error}
        pending={settings.pending}
        onSubmit={settings.submit}
        className="form-stack"
      >
        <Card
          title={title}
          footer={
            <SaveCancel
              dirty={settings.dirty}
              pending={settings.pending}
              reason={settings.reason}
              onCancel={settings.cancel}
            />
          }
        >
          <div className="form-stack">
            <SettingFields projectRef={projectRef} settings={settings} />
            {children}
          </div>
        </Card>
      </Form>
      <AskFirst settings={settings} />
    </>
  )
}
