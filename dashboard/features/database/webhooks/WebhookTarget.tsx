import { webhookMethods, webhookTimeout } from '#contract/database/webhooks'
import { modes } from '../../../modules/objects/triggers.ts'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { FunctionChoice } from './FunctionChoice.tsx'
import { PairRows } from './PairRows.tsx'
import { withMethod } from './webhook-draft.ts'
import type { FieldsProps } from './WebhookFields.tsx'

const methods = webhookMethods.map((value) => ({
  value,
  label: value,
  detail: value === 'POST' ? 'with the row as JSON' : 'without a body',
}))

const urlHelp = (url: string) =>
  /^http:/i.test(url.trim())
    ? 'Anyone on the network path can read what is sent to an address without https.'
    : 'Addresses of private networks are refused when they are called.'

/** What is called, with what, and whether at all. */
export function WebhookTarget(props: FieldsProps) {
  const { draft, problems, change } = props
  return (
    <>
      <div className="labelled">
        <span>Type</span>
        <div>
          <Segmented
            label="Type"
            options={[
              { value: 'http', label: 'HTTP request' },
              { value: 'function', label: 'Edge function' },
            ]}
            value={draft.kind}
            onChange={(kind) => change({ kind })}
          />
        </div>
      </div>
      {draft.kind === 'function' ? (
        <FunctionChoice {...props} />
      ) : (
        <TextField
          label="URL"
          type="url"
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          help={urlHelp(draft.url)}
          error={problems.url}
          value={draft.url}
          onChange={(event) => change({ url: event.target.value })}
        />
      )}
      <div className="field-pair">
        <SelectField
          label="Method"
          options={methods}
          value={draft.method}
          onChange={(method) => change(withMethod(draft, method))}
        />
        <TextField
          label="Timeout"
          mono
          inputMode="numeric"
          autoComplete="off"
          unit="ms"
          help={`How long to wait for a response: ${webhookTimeout.least} to ${webhookTimeout.most}.`}
          error={problems.timeout}
          value={draft.timeout}
          onChange={(event) => change({ timeout: event.target.value })}
        />
      </div>
      <PairRows
        title="Headers"
        one="header"
        pairs={draft.headers}
        problems={problems.headers}
        onPairs={(headers) => change({ headers })}
        help="Stored in the trigger definition, where anyone who can read the catalog can read them."
      />
      <PairRows
        title="Parameters"
        one="parameter"
        pairs={draft.params}
        problems={problems.params}
        onPairs={(params) => change({ params })}
        help="Added to the URL as its query string."
      />
      <SelectField
        label="Enabled"
        options={modes}
        value={draft.enabled_mode}
        onChange={(enabled_mode) => change({ enabled_mode })}
      />
    </>
  )
}
