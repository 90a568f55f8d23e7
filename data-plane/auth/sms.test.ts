import { expect, test } from 'vitest'
import { z } from 'zod'
import { defaultAuthConfig } from './config.ts'
import { mailOfSms } from './sms-outbox.ts'
import { smsSettings } from './sms-settings.ts'
import { parseTestOtp } from './sms.ts'

test('test numbers are read from pairs, and what has another form is none', () => {
  expect(parseTestOtp('15550001111=123456, +15550002222=0000')).toEqual({
    '15550001111': '123456',
    '15550002222': '0000',
  })
  expect(parseTestOtp('')).toEqual({})
  expect(parseTestOtp('abc=123456,15550001111=abc,0123=1234,=,15550001111')).toEqual({})
})

test('a kept message has the number as people write it, and its text is no HTML', () => {
  const sms = { to: '15550001111', text: 'Your <b>code</b> is 1', otp: '1' }
  expect(mailOfSms({ ...sms, channel: 'sms' })).toEqual({
    to: '+15550001111',
    subject: 'Text message',
    text: 'Your <b>code</b> is 1',
    html: '<p>Your &lt;b&gt;code&lt;/b&gt; is 1</p>',
  })
  expect(mailOfSms({ ...sms, channel: 'whatsapp' }).subject).toBe('WhatsApp message')
})

const Settings = z.object(smsSettings)

test('what nobody sets is what the service has by itself', () => {
  const config = defaultAuthConfig({ siteUrl: 'http://localhost:3000' })
  expect(config).toMatchObject(Settings.parse({}))
})

test('settings of text messages are read, and a service that lacks something is refused', () => {
  const smsProvider = { kind: 'textlocal', apiKey: 'key', sender: 'Shop' }
  const smsTestOtpValidUntil = '2030-01-01T00:00:00Z'
  expect(Settings.parse({ smsProvider, smsTestOtpValidUntil })).toMatchObject({
    smsProvider,
    smsTestOtpValidUntil: new Date(smsTestOtpValidUntil),
  })
  expect(Settings.parse({ smsTestOtpValidUntil: '' }).smsTestOtpValidUntil).toBeUndefined()
  for (const wrong of [
    { smsProvider: { ...smsProvider, sender: '' } },
    { smsProvider: { kind: 'pigeon' } },
    { smsOtpLength: 5 },
    { smsTestOtpValidUntil: 'soon' },
  ]) {
    expect(Settings.safeParse(wrong).success).toBe(false)
  }
})
