import { useSuspenseQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useForm, useWatch } from 'react-hook-form'
import { billingCustomer } from '#contract/billing/billing-customer'
import { organizations } from '#contract/organizations/organizations'
import { taxIdTypes } from '#contract/billing/tax-ids'
import { queryClient, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Form, SaveCancel } from '../../../ui/controls/Form.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { customerQuery, taxIdsQuery } from './queries.ts'

/** What stands on invoices: the name, the address and the tax numbers. */
export function AddressSection({ slug }: { slug: string }) {
  const { data: customer } = useSuspenseQuery(customerQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(billingCustomer.updateCustomer)
  const { register, control, handleSubmit, reset, setValue, formState } = useForm({
    values: {
      name: customer.name ?? '',
      line1: customer.address?.line1 ?? '',
      line2: customer.address?.line2 ?? '',
      city: customer.address?.city ?? '',
      state: customer.address?.state ?? '',
      postal_code: customer.address?.postal_code ?? '',
      country: customer.address?.country ?? '',
    },
  })
  const { errors, isDirty } = formState
  const country = useWatch({ control, name: 'country' })
  const save = useCall(billingCustomer.updateCustomer, {
    onAnswer: (saved) => queryClient.setQueryData(customerQuery(slug).queryKey, saved),
    changes: [organizations.list],
    onSuccess: () => {
      toast.success('Billing address saved')
    },
  })
  const submit = handleSubmit(({ name, line2, state, ...address }) =>
    save.mutate({
      slug,
      name: name.trim() || null,
      address: { ...address, line2: line2 || null, state: state || null },
    }),
  )
  const needed = (what: string) => ({
    validate: (text: string) => text.trim() !== '' || `${what} is missing`,
    maxLength: { value: 200, message: 'At most 200 characters' },
  })
  // The select is no input of the form's own: it is told what a right choice is.
  register('country', needed('The country'))
  const readOnly = reason !== undefined
  return (
    <section id="address">
      <Form error={save.error?.message} pending={save.isPending} onSubmit={submit}>
        <Card
          title="Billing address"
          footer={
            <SaveCancel
              dirty={isDirty}
              pending={save.isPending}
              reason={reason}
              onCancel={() => reset()}
            />
          }
        >
          <div className="form-stack">
            <TextField
              label="Name on invoices"
              autoComplete="organization"
              readOnly={readOnly}
              {...register('name', {
                maxLength: { value: 200, message: 'At most 200 characters' },
              })}
            />
            <TextField
              label="Address"
              autoComplete="address-line1"
              readOnly={readOnly}
              error={errors.line1?.message}
              {...register('line1', needed('The address'))}
            />
            <TextField
              label="Second line"
              autoComplete="address-line2"
              readOnly={readOnly}
              {...register('line2')}
            />
            <div className="billing-pair">
              <TextField
                label="Postal code"
                autoComplete="postal-code"
                readOnly={readOnly}
                error={errors.postal_code?.message}
                {...register('postal_code', needed('The postal code'))}
              />
              <TextField
                label="City"
                autoComplete="address-level2"
                readOnly={readOnly}
                error={errors.city?.message}
                {...register('city', needed('The city'))}
              />
            </div>
            <div className="billing-pair">
              <TextField
                label="State or region"
                autoComplete="address-level1"
                readOnly={readOnly}
                {...register('state')}
              />
              {readOnly ? (
                <TextField
                  label="Country"
                  readOnly
                  value={countries.find(({ value }) => value === country)?.label ?? ''}
                />
              ) : (
                <SelectField
                  label="Country"
                  options={countries}
                  value={country || undefined}
                  error={errors.country?.message}
                  onChange={(next) =>
                    setValue('country', next, { shouldDirty: true, shouldValidate: true })
                  }
                />
              )}
            </div>
          </div>
        </Card>
      </Form>
      <TaxIds slug={slug} />
    </section>
  )
}

const options = taxIdTypes.map(({ type, country, name }) => ({
  value: `${type} ${country}`,
  label: name,
}))

const nameOf = ({ type, country }: { type: string; country: string }) =>
  taxIdTypes.find((kind) => kind.type === type && kind.country === country)?.name ?? type

/** Tax numbers of a registered business; they stand on the next invoices. */
function TaxIds({ slug }: { slug: string }) {
  const { data: ids } = useSuspenseQuery(taxIdsQuery(slug))
  const why = useDenials({ organizationSlug: slug })
  const reason = why(billingCustomer.taxIdsAdd)
  const { register, control, handleSubmit, reset, setValue, formState } = useForm({
    defaultValues: { kind: '', value: '' },
  })
  const kind = useWatch({ control, name: 'kind' })
  const chosen = taxIdTypes.find(({ type, country }) => `${type} ${country}` === kind)
  const add = useCall(billingCustomer.taxIdsAdd, {
    changes: [billingCustomer.taxIds],
    onSuccess: () => reset(),
  })
  const remove = useCall(billingCustomer.taxIdsRemove, {
    changes: [billingCustomer.taxIds],
    onError: (error) => toast.error(error.message),
  })
  return (
    <Form
      className="tax-ids"
      error={add.error?.message}
      pending={add.isPending}
      onSubmit={handleSubmit(({ value }) => {
        if (chosen) add.mutate({ slug, type: chosen.type, country: chosen.country, value })
      })}
    >
      <Card
        title="Tax numbers"
        footer={
          <Button
            type="submit"
            size="form"
            busy={add.isPending}
            disabledReason={reason ?? (chosen ? undefined : 'Choose the type of number first')}
          >
            Add tax number
          </Button>
        }
      >
        <div className="form-stack">
          {ids.data.length > 0 && (
            <ul className="tax-id-list">
              {ids.data.map((id) => (
                <li key={id.id}>
                  <span className="mono">{id.value}</span>
                  <span className="muted">{nameOf(id)}</span>
                  <span className="grow" />
                  <IconButton
                    icon={Trash2}
                    label={`Remove ${id.value}`}
                    disabledReason={why(billingCustomer.taxIdsRemove)}
                    onClick={() => remove.mutate({ slug, id: id.id })}
                  />
                </li>
              ))}
            </ul>
          )}
          {reason !== undefined && ids.data.length === 0 && (
            <p className="muted">No tax numbers yet.</p>
          )}
          {reason === undefined && (
            <div className="billing-pair">
              <SelectField
                label="Kind"
                options={options}
                value={kind || undefined}
                onChange={(next) => setValue('kind', next)}
              />
              <TextField
                label="Number"
                autoComplete="off"
                placeholder={chosen?.example}
                error={formState.errors.value?.message}
                {...register('value', {
                  validate: (text) =>
                    (chosen?.pattern.test(text.trim()) ?? true) ||
                    `It looks like ${chosen?.example ?? ''}`,
                })}
              />
            </div>
          )}
        </div>
      </Card>
    </Form>
  )
}

/**
 * ISO 3166-1: two letters and the English name, in the order of the names. Written out, because to ask the browser for
 * them and to sort them takes it longer than to draw the page.
 */
const written = `
AF Afghanistan; AL Albania; DZ Algeria; AD Andorra; AO Angola; AI Anguilla; AG Antigua & Barbuda; AR Argentina;
AM Armenia; AW Aruba; AU Australia; AT Austria; AZ Azerbaijan; BS Bahamas; BH Bahrain; BD Bangladesh;
BB Barbados; BY Belarus; BE Belgium; BZ Belize; BJ Benin; BM Bermuda; BT Bhutan; BO Bolivia;
BA Bosnia & Herzegovina; BW Botswana; BR Brazil; VG British Virgin Islands; BN Brunei; BG Bulgaria;
BF Burkina Faso; BI Burundi; KH Cambodia; CM Cameroon; CA Canada; CV Cape Verde; KY Cayman Islands;
CF Central African Republic; TD Chad; CL Chile; CN China; CO Colombia; KM Comoros; CG Congo - Brazzaville;
CD Congo - Kinshasa; CK Cook Islands; CR Costa Rica; CI Côte d’Ivoire; HR Croatia; CU Cuba; CW Curaçao;
CY Cyprus; CZ Czechia; DK Denmark; DJ Djibouti; DM Dominica; DO Dominican Republic; EC Ecuador; EG Egypt;
SV El Salvador; GQ Equatorial Guinea; ER Eritrea; EE Estonia; SZ Eswatini; ET Ethiopia; FO Faroe Islands;
FJ Fiji; FI Finland; FR France; GF French Guiana; PF French Polynesia; GA Gabon; GM Gambia; GE Georgia;
DE Germany; GH Ghana; GI Gibraltar; GR Greece; GL Greenland; GD Grenada; GP Guadeloupe; GU Guam; GT Guatemala;
GG Guernsey; GN Guinea; GW Guinea-Bissau; GY Guyana; HT Haiti; HN Honduras; HK Hong Kong SAR China; HU Hungary;
IS Iceland; IN India; ID Indonesia; IR Iran; IQ Iraq; IE Ireland; IM Isle of Man; IL Israel; IT Italy;
JM Jamaica; JP Japan; JE Jersey; JO Jordan; KZ Kazakhstan; KE Kenya; KI Kiribati; XK Kosovo; KW Kuwait;
KG Kyrgyzstan; LA Laos; LV Latvia; LB Lebanon; LS Lesotho; LR Liberia; LY Libya; LI Liechtenstein; LT Lithuania;
LU Luxembourg; MO Macao SAR China; MG Madagascar; MW Malawi; MY Malaysia; MV Maldives; ML Mali; MT Malta;
MH Marshall Islands; MQ Martinique; MR Mauritania; MU Mauritius; YT Mayotte; MX Mexico; FM Micronesia;
MD Moldova; MC Monaco; MN Mongolia; ME Montenegro; MA Morocco; MZ Mozambique; MM Myanmar (Burma); NA Namibia;
NR Nauru; NP Nepal; NL Netherlands; NC New Caledonia; NZ New Zealand; NI Nicaragua; NE Niger; NG Nigeria;
KP North Korea; MK North Macedonia; NO Norway; OM Oman; PK Pakistan; PW Palau; PS Palestinian Territories;
PA Panama; PG Papua New Guinea; PY Paraguay; PE Peru; PH Philippines; PL Poland; PT Portugal; PR Puerto Rico;
QA Qatar; RE Réunion; RO Romania; RU Russia; RW Rwanda; WS Samoa; SM San Marino; ST São Tomé & Príncipe;
SA Saudi Arabia; SN Senegal; RS Serbia; SC Seychelles; SL Sierra Leone; SG Singapore; SX Sint Maarten;
SK Slovakia; SI Slovenia; SB Solomon Islands; SO Somalia; ZA South Africa; KR South Korea; SS South Sudan;
ES Spain; LK Sri Lanka; KN St. Kitts & Nevis; LC St. Lucia; VC St. Vincent & Grenadines; SD Sudan; SR Suriname;
SE Sweden; CH Switzerland; SY Syria; TW Taiwan; TJ Tajikistan; TZ Tanzania; TH Thailand; TL Timor-Leste; TG Togo;
TO Tonga; TT Trinidad & Tobago; TN Tunisia; TR Türkiye; TM Turkmenistan; TC Turks & Caicos Islands; TV Tuvalu;
VI U.S. Virgin Islands; UG Uganda; UA Ukraine; AE United Arab Emirates; GB United Kingdom; US United States;
UY Uruguay; UZ Uzbekistan; VU Vanuatu; VA Vatican City; VE Venezuela; VN Vietnam; YE Yemen; ZM Zambia;
ZW Zimbabwe
`

/** Every country by its English name. */
export const countries = written
  .trim()
  .split(/;\s+/)
  .map((entry) => ({ value: entry.slice(0, 2), label: entry.slice(3) }))
