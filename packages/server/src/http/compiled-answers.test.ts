import * as accounts from '@siarin/contracts/accounts'
import * as activity from '@siarin/contracts/activity'
import * as articles from '@siarin/contracts/articles'
import * as auth from '@siarin/contracts/auth'
import * as online from '@siarin/contracts/online'
import * as secondFactor from '@siarin/contracts/second-factor'
import * as standing from '@siarin/contracts/standing'
import * as streams from '@siarin/contracts/streams'
import * as system from '@siarin/contracts/system'
import * as videos from '@siarin/contracts/videos'
import fc from 'fast-check'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { $ZodType, $ZodTypes } from 'zod/v4/core'
import { compiledAnswers } from './compiled-answers.ts'

const modules = [accounts, activity, articles, auth, online, secondFactor, standing, streams, system, videos]
const ANSWERS = modules
  .flatMap((module) => Object.entries(module) as [string, unknown][])
  .filter((entry): entry is [string, z.ZodObject] => entry[0].endsWith('Answer') && entry[1] instanceof z.ZodObject)

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\n', '\ud800', 'é\u2028', '😀'),
)
const instant = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
  .map((date) => date.toISOString())
const TEXTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  datetime: instant,
  email: fc.constant('ani@example.com'),
}

/** Whatever the schema takes; in objects also what it leaves out. */
function exampleOf(schema: $ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as $ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return TEXTS['format' in def ? String(def.format) : ''] ?? text
    case 'number':
      return def.checks?.length || 'format' in def ? fc.nat(100) : fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'nullable':
      return fc.option(exampleOf(def.innerType), { nil: null })
    case 'optional':
      return fc.option(exampleOf(def.innerType), { nil: undefined })
    case 'union':
      return fc.oneof(...def.options.map(exampleOf))
    case 'array':
      return fc.array(exampleOf(def.element), { maxLength: 3 })
    case 'record':
      return objectOf(
        Object.fromEntries([...(def.keyType._zod.values ?? [])].map((key) => [String(key), def.valueType])),
      )
    case 'object':
      return fc
        .tuple(fc.dictionary(fc.constantFrom('apiKey', 'reasonCode', 'password'), fc.string()), objectOf(def.shape))
        .map(([more, own]) => ({ ...more, ...own }))
    default:
      throw new Error(`no example of ${def.type}`)
  }
}

const objectOf = (shape: Readonly<Record<string, $ZodType>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, exampleOf(schema)])))

const route = { method: 'GET', url: '/', httpStatus: '200' }
const writersOf = (schema: z.ZodType) => ({
  compiled: compiledAnswers({ ...route, schema }),
  byValidator: serializerCompiler({ ...route, schema }),
})

describe('an answer by its compiled schema', () => {
  it.each(ANSWERS)('is byte for byte what the validator makes of it: %s', (_, schema) => {
    const { compiled, byValidator } = writersOf(schema)
    fc.assert(
      fc.property(exampleOf(schema), (value) => {
        expect(compiled(value)).toBe(byValidator(value))
      }),
      { numRuns: 40 },
    )
  })

  it('has all the answers of the contracts', () => {
    expect(ANSWERS.length).toBeGreaterThan(25)
  })

  it.each([
    ['of another kind', { count: '1', name: 'a' }],
    ['no number', { count: Number.NaN, name: 'a' }],
    ['missing', { name: 'a' }],
    ['no object', null],
  ])('is refused as before where a value is %s', (_, value) => {
    const { compiled, byValidator } = writersOf(z.object({ count: z.number(), name: z.string() }))
    expect(() => byValidator(value)).toThrow("Response doesn't match the schema")
    expect(() => compiled(value)).toThrow("Response doesn't match the schema")
  })

  it.each([
    ['trimmed', z.object({ name: z.string().trim() }), { name: ' a ' }],
    ['with more fields', z.looseObject({ name: z.string() }), { name: 'a', more: 1 }],
    ['of several kinds', z.object({ at: z.union([z.string(), z.number()]) }), { at: 1 }],
    ['a table', z.record(z.string(), z.number()), { a: 1 }],
  ])('leaves to the validator what is not plain: %s', (_, schema, value) => {
    const { compiled, byValidator } = writersOf(schema)
    expect(compiled(value)).toBe(byValidator(value))
  })

  it('is written once where it is frozen, and each time where it is not', () => {
    const { compiled } = writersOf(z.object({ list: z.array(z.string()) }))
    const [frozen, open] = [Object.freeze({ list: ['a'] }), { list: ['a'] }]
    const before = [compiled(frozen), compiled(open)]
    frozen.list.push('b')
    open.list.push('b')
    expect(before).toEqual(['{"list":["a"]}', '{"list":["a"]}'])
    expect(compiled(frozen)).toBe('{"list":["a"]}')
    expect(compiled(open)).toBe('{"list":["a","b"]}')
  })
})
