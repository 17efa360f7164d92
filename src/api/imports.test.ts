import { embedded } from '../../test/contract/admin-on-stores.ts';
import { importsContract } from '../../test/contract/imports.contract.ts';

importsContract('on the stores of one process', embedded);
