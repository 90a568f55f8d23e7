import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { CodeField } from '../../../../ui/controls/CodeField.tsx'
import type { CodeBox } from '../../../../ui/code/code-box.ts'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { Tooltip } from '../../../../ui/floats/Tooltip.tsx'
import { mailVariables, previewOf, written, type MailTemplate } from './mail-kinds.ts'
import type { SettingField } from '../setting-field.ts'
import { problemIn } from '../settings-form.ts'
import type { SettingsForm } from '../use-settings.ts'

type Props = { template: MailTemplate; field: SettingField; settings: SettingsForm }

/** The body of a mail: its source with what can be put in, or what a reader sees. */
export function MailBody({ template, field, settings }: Props) {
  const { form, values, reason } = settings
  const [view, setView] = useState<'source' | 'preview'>('source')
  const [box, setBox] = useState<CodeBox>()
  const html = String(values[field.key])
  const locked = reason !== undefined
  const insert = (name: string) => {
    if (box) return box.insert(written(name), '</body>')
    // Where the editor could not be loaded, at the end.
    return form.setValue(field.key, html + written(name), { shouldDirty: true })
  }
  return (
    <div className="mail-body">
      <div className="mail-views">
        <span className="mail-label">Body</span>
        <Segmented
          label="Body view"
          options={[
            { value: 'source', label: 'Source' },
            { value: 'preview', label: 'Preview' },
          ]}
          value={view}
          onChange={setView}
        />
      </div>
      {view === 'preview' ? (
        // Nothing in it runs, and nothing of it reaches this page.
        <iframe
          className="mail-preview"
          title="Email preview"
          sandbox=""
          srcDoc={previewOf(html)}
        />
      ) : (
        <>
          <Controller
            control={form.control}
            name={field.key}
            rules={{ validate: (value) => problemIn(field, value ?? '') ?? true }}
            render={({ field: { value, onChange } }) => (
              <CodeField
                label="HTML"
                language="html"
                isProgram
                lines={[14, 28]}
                readOnly={locked}
                value={String(value)}
                error={form.formState.errors[field.key]?.message}
                onValue={onChange}
                onBox={setBox}
              />
            )}
          />
          {!locked && (
            <fieldset className="mail-variables">
              <legend>Insert</legend>
              {template.variables.map((name) => (
                <Tooltip key={name} text={mailVariables[name].help}>
                  <button type="button" className="mail-variable mono" onClick={() => insert(name)}>
                    {written(name)}
                  </button>
                </Tooltip>
              ))}
            </fieldset>
          )}
        </>
      )}
    </div>
  )
}
