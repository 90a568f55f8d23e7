import { expect, test } from 'vitest'
import { mailOfSms } from './sms-outbox.ts'
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
