import { embedded } from '../../test/contract/admin-on-stores.ts';
import { filesContract } from '../../test/contract/files.contract.ts';

filesContract('in the folder of one process', embedded);
